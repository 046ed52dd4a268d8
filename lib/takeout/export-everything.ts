import type { Principal } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { getChecksSettings } from "#lib/checks/settings/change-check-settings.ts";
import { listRules } from "#lib/checks/settings/rule-settings.ts";
import { listWords } from "#lib/checks/words/word-list.ts";
import { now, toIso } from "#lib/clock.ts";
import { db } from "#lib/db.ts";
import { exportBlockLists } from "#lib/filters/block-lists.ts";
import { getSettings } from "#lib/filters/settings.ts";
import { ApiError } from "#lib/errors.ts";
import { keyStatus } from "#lib/keys/api-keys.ts";
import { listMembers } from "#lib/members/accounts.ts";
import { listRejectReasons } from "#lib/review/reject-reasons.ts";
import { exportStandings } from "#lib/review/standings.ts";
import { exportSavedFilters } from "#lib/review/saved-filters.ts";
import { listStreams } from "#lib/streams/read-streams.ts";
import { listTopicalTags } from "#lib/topical/topical-tags.ts";
import { Takeout } from "./schema.ts";

const PAGE = 1000;

/**
 * Exports all data that people have entered, without secrets. The audit log records the number of entries.
 *
 * @throws `key_bound` for a key that is bound to streams
 */
export async function exportEverything(principal: Principal): Promise<Takeout> {
  if (principal.stream_ids !== null) throw new ApiError("key_bound");
  const [
    streams,
    members,
    switches,
    blockLists,
    saved_filters,
    author_standings,
    reject_reasons,
    topical_tags,
    { checks },
    { rules },
    words,
    { keys },
  ] = await Promise.all([
    everyPage((page) => listStreams(page)),
    everyPage((page) => listMembers(page)),
    getSettings(),
    exportBlockLists(),
    exportSavedFilters(),
    exportStandings(),
    listRejectReasons(),
    listTopicalTags(),
    getChecksSettings(),
    listRules(),
    listWords(),
    keyStatus(principal),
  ]);
  const nameOf = new Map(streams.map(({ id, hashtag, instance }) => [id, { hashtag, instance }]));
  // Drops every field that the schema does not list.
  const all = Takeout.parse({
    format: "sluice-export",
    version: 1,
    exported_at: toIso(now()),
    streams,
    switches,
    ...blockLists,
    topical_tags,
    checks,
    text_rules: rules,
    words: words.map((word) => ({
      ...word,
      stream: word.stream_id === null ? null : (nameOf.get(word.stream_id) ?? null),
    })),
    reject_reasons,
    saved_filters,
    author_standings,
    members,
    api_keys: keys.map((key) => ({
      ...key,
      streams: key.stream_ids.length === 0 ? null : key.stream_ids.flatMap((id) => nameOf.get(id) ?? []),
    })),
  });
  // Audit first: an export that cannot be recorded is not sent.
  await recordAudit(db, principal, {
    action: "data.export",
    subject: `${all.format} ${all.version}`,
    after: Object.fromEntries(
      Object.entries(all).flatMap(([name, value]) => (Array.isArray(value) ? [[name, value.length]] : [])),
    ),
  });
  return all;
}

async function everyPage<Item>(
  read: (page: { skip: number; limit: number }) => Promise<{ items: Item[] }>,
): Promise<Item[]> {
  const all: Item[] = [];
  for (;;) {
    const { items } = await read({ skip: all.length, limit: PAGE });
    all.push(...items);
    if (items.length < PAGE) return all;
  }
}
