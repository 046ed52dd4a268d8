import { toIso } from "#lib/clock.ts";
import type { Schedule, Stream } from "./schema.ts";
import type { StreamRow } from "./sql.ts";
import type { z } from "zod";

export function serializeStream(row: StreamRow): Stream {
  return {
    id: row.id,
    hashtag: row.hashtag,
    instance: row.instance,
    active: row.active,
    enable_scheduling: row.enable_scheduling,
    fetch_interval_minutes: row.fetch_interval_minutes,
    next_scheduled_fetch: toIso(row.next_scheduled_fetch),
    last_fetch: toIso(row.last_fetch),
    last_check: toIso(row.last_check),
    last_error: row.last_error,
    behind_since: toIso(row.behind_since),
    platform: row.platform,
    consent_policy: row.consent_policy,
    consent_list: row.consent_list,
    require_media: row.require_media,
    drop_replies: row.drop_replies,
    languages: row.languages,
    post_count: Number(row.post_count),
    approved_count: Number(row.approved_count),
    rejected_count: Number(row.rejected_count),
    unreviewed_count: Number(row.unreviewed_count),
    created_at: toIso(row.created_at),
    updated_at: toIso(row.updated_at),
  };
}

export function serializeSchedule(row: StreamRow): z.infer<typeof Schedule> {
  return {
    stream_id: row.id,
    hashtag: row.hashtag,
    enable_scheduling: row.enable_scheduling,
    fetch_interval_minutes: row.fetch_interval_minutes,
    next_scheduled_fetch: toIso(row.next_scheduled_fetch),
    last_check: toIso(row.last_check),
  };
}
