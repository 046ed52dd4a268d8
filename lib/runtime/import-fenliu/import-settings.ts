import type { Tx } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { addEntries } from "#lib/blocking/block-lists.ts";
import { patternTypes, switchNames } from "#lib/blocking/schema.ts";
import { normaliseUserPattern } from "#lib/blocking/user-patterns.ts";
import { foldHashtag, normaliseHashtag } from "#lib/fediverse/hashtag.ts";
import { parseWebUrl } from "#lib/fediverse/urls.ts";
import { noteHoldChanges } from "#lib/queue/hold-changes.ts";
import { isMonthDay } from "#lib/queue/topical-schema.ts";
import { switches } from "#lib/queue/switches.ts";
import { isoOf } from "./convert-post.ts";
import type { FenLiuFile, Row } from "./fenliu-file.ts";

/** A row that is left out, and why. */
export interface Skipped {
  table: string;
  id: number;
  reason: string;
}

/**
 * Before the posts, which are held and found by these. Entries of the installation stay as they are.
 * @param skipped receives the rows that cannot be taken
 */
export async function importSettings(tx: Tx, file: FenLiuFile, skipped: Skipped[]) {
  /** Converts the rows of a table. `read` returns a sentence for a row that cannot be taken. */
  const take = <T extends object>(table: string, read: (row: Row) => T | string): T[] =>
    file.rows(table).flatMap((row) => {
      const taken = read(row);
      if (typeof taken !== "string") return [taken];
      skipped.push({ table, id: Number(row["id"] ?? 0), reason: taken });
      return [];
    });
  const users = take("blocked_users", (row) => {
    const type = patternTypes.find((each) => each === row["pattern_type"]);
    if (type === undefined) return "the pattern type is unknown";
    const check = normaliseUserPattern(String(row["account_identifier"]), type);
    if (!check.ok) return `the pattern ${check.reason}`;
    return { pattern: check.pattern, pattern_type: type, written: null, notes: textOf(row["notes"]) };
  });
  const hashtags = take("blocked_hashtags", (row) => {
    const hashtag = normaliseHashtag(String(row["hashtag"]));
    if (hashtag === null) return "is not a hashtag";
    const notes = textOf(row["notes"]);
    return { pattern: foldHashtag(hashtag), pattern_type: "exact" as const, written: hashtag, notes };
  });
  const topical = take("topical_hashtags", (row) => {
    const hashtag = normaliseHashtag(String(row["hashtag"]));
    if (hashtag === null) return "is not a hashtag";
    const day = row["topical_day_of_week"];
    const written = textOf(row["topical_month_day"]);
    const month_day = written !== null && isMonthDay(written) ? written : null;
    // FenLiu's weeks begin on Monday, those of topical_tag on Sunday.
    const day_of_week = typeof day === "number" && day >= 0 && day <= 6 ? (day + 1) % 7 : null;
    if (day_of_week === null && month_day === null) return "has no day";
    return { hashtag, hashtag_folded: foldHashtag(hashtag), day_of_week, month_day };
  });
  const flags = take("app_settings", (row) => {
    const name = switchNames.find((each) => each === row["key"]);
    const value = String(row["value"]).toLowerCase().replaceAll('"', "");
    if (name === undefined || !/^(true|false|1|0)$/.test(value)) return `${row["key"]} is not a setting here`;
    return { [name]: value === "true" || value === "1" };
  });
  const added = {
    blocked_users: (await addEntries(tx, servicePrincipal, "user", users)).rows.length,
    blocked_hashtags: (await addEntries(tx, servicePrincipal, "hashtag", hashtags)).rows.length,
    topical_hashtags: (await tx.topical_tag.createMany({ data: topical, skipDuplicates: true })).count,
    switches: flags.length,
  };
  await noteHoldChanges(tx, [{ pattern_type: "any", patterns: [] }]);
  if (flags.length > 0) await switches.set(Object.assign({}, ...flags) as Record<string, boolean>, tx);
  return added;
}

const textOf = (value: Row[string] | undefined) => (value == null || value === "" ? null : String(value));

export interface ImportedStream {
  id: number;
  hashtag: string;
  hashtag_folded: string;
}

/** Imports streams. @returns streams by FenLiu's id */
export async function importStreams(
  tx: Tx,
  file: FenLiuFile,
  skipped: Skipped[],
): Promise<Map<number, ImportedStream>> {
  const streams = new Map<number, ImportedStream>();
  for (const row of file.rows("hashtag_streams")) {
    const hashtag = normaliseHashtag(String(row["hashtag"]));
    const server = String(row["instance"]);
    const instance = parseWebUrl(/^https?:/.test(server) ? server : `https://${server}`)?.host;
    const id = Number(row["id"]);
    if (hashtag === null || instance === undefined) {
      skipped.push({ table: "hashtag_streams", id, reason: "has no valid hashtag or server" });
      continue;
    }
    const hashtag_folded = foldHashtag(hashtag);
    const active = row["active"] === 1;
    const scheduled = row["enable_scheduling"] === 1;
    const minutes = Math.min(1440, Math.max(5, Number(row["fetch_interval_minutes"] ?? 60)));
    const [due, made] = [row["next_scheduled_fetch"], row["created_at"]].map((time) => isoOf(textOf(time)));
    const [stored] = await tx.$queryRaw<{ id: number }[]>`
      INSERT INTO stream AS s (id, hashtag, hashtag_folded, instance, active, enable_scheduling, fetch_interval_minutes,
                               next_scheduled_fetch, created_at)
      SELECT CASE WHEN EXISTS (SELECT FROM stream WHERE id = ${id}::int)
                  THEN nextval(pg_get_serial_sequence('stream', 'id')) ELSE ${id}::int END,
             ${hashtag}, ${hashtag_folded}, ${instance}, ${active}, ${scheduled}, ${minutes}::int,
             CASE WHEN ${active && scheduled} THEN coalesce(${due}::text::timestamptz, now()) END,
             coalesce(${made}::text::timestamptz, now())
      ON CONFLICT (hashtag_folded, instance) DO UPDATE SET active = s.active OR excluded.active, updated_at = now(),
         next_scheduled_fetch = coalesce(s.next_scheduled_fetch, excluded.next_scheduled_fetch)
      RETURNING id`;
    // An existing stream of the same hashtag and server takes its place.
    streams.set(id, { id: stored?.id ?? id, hashtag, hashtag_folded });
  }
  return streams;
}
