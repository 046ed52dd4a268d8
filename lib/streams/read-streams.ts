import { toIso } from "#lib/clock.ts";
import { db } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { fetchRunRows } from "./fetch-sql.ts";
import type { FetchRun, Schedule, Stream } from "./schema.ts";
import { type StreamRow, streamRow, streamRows } from "./sql.ts";
import type { z } from "zod";

/** One stream. @throws ApiError `stream_not_found` */
export async function getStream(id: number): Promise<Stream> {
  return serializeStream(await requireStream(id));
}

/** Its row. @throws ApiError `stream_not_found` */
export async function requireStream(id: number): Promise<StreamRow> {
  const row = await streamRow(db, id);
  if (row === null) throw new ApiError("stream_not_found", { id });
  return row;
}

/** A page of streams in order of id, and how many there are in all. */
export async function listStreams(filter: {
  active?: boolean | undefined;
  skip: number;
  limit: number;
}): Promise<{ items: Stream[]; total: number; skip: number; limit: number }> {
  const { active, skip, limit } = filter;
  const [rows, total] = await Promise.all([
    streamRows(active ?? null, skip, limit),
    db.stream.count({ where: active === undefined ? {} : { active } }),
  ]);
  return { items: rows.map(serializeStream), total, skip, limit };
}

/** Every stream by the little a choice of streams shows. */
export async function streamChoices(): Promise<{ id: number; hashtag: string; instance: string }[]> {
  const { items } = await listStreams({ skip: 0, limit: 1000 });
  return items.map(({ id, hashtag, instance }) => ({ id, hashtag, instance }));
}

/** When a stream is fetched by itself. @throws ApiError `stream_not_found` */
export async function getSchedule(id: number): Promise<z.infer<typeof Schedule>> {
  return serializeSchedule(await requireStream(id));
}

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

/** The newest fetches of a stream, at most `limit`. @throws ApiError `stream_not_found` */
export async function listFetchRuns(streamId: number, limit: number): Promise<FetchRun[]> {
  await requireStream(streamId);
  const rows = await fetchRunRows(streamId, limit);
  return rows.map((row) => ({
    id: Number(row.id),
    started_at: toIso(row.started_at),
    finished_at: toIso(row.finished_at),
    seen: row.seen,
    new: row.new,
    duplicates: row.duplicates,
    updated: row.updated,
    auto_rejected: row.auto_rejected,
    dropped: row.dropped,
    pages: row.pages,
    error: row.error,
  }));
}
