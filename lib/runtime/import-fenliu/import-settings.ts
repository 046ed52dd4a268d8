import type { Tx } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { addEntries } from "#lib/blocking/block-entries.ts";
import type { UserPattern } from "#lib/blocking/block-rows.ts";
import { patternTypes, switchNames } from "#lib/blocking/schema.ts";
import { normaliseUserPattern } from "#lib/blocking/user-patterns.ts";
import { foldHashtag, normaliseHashtag } from "#lib/fediverse/hashtag.ts";
import { parseWebUrl } from "#lib/fediverse/urls.ts";
import { noteHoldChanges } from "#lib/queue/hold-changes.ts";
import { isMonthDay } from "#lib/queue/topical-schema.ts";
import { switches } from "#lib/queue/switches.ts";
import { isoOf } from "./convert-post.ts";
import type { FenLiuFile, Row } from "./fenliu-file.ts";
import { insertStream, skipIds, startStreams } from "./sql.ts";

/** A row that is not taken. */
export interface Skipped {
  table: string;
  id: number;
  reason: string;
}

export interface TakenSettings {
  blocked_users: number;
  blocked_hashtags: number;
  topical_hashtags: number;
  switches: number;
  skipped: Skipped[];
}

/** Before the posts, which are held and found by these. Entries of the installation stay as they are. */
export async function importSettings(tx: Tx, file: FenLiuFile): Promise<TakenSettings> {
  const skipped: Skipped[] = [];
  const skip = (table: string, row: Row, reason: string) =>
    void skipped.push({ table, id: Number(row["id"]), reason });
  const users = file.rows("blocked_users").flatMap((row): UserPattern[] => {
    const type = patternTypes.find((each) => each === row["pattern_type"]);
    const check = type && normaliseUserPattern(String(row["account_identifier"]), type);
    if (type === undefined || check === undefined) skip("blocked_users", row, "the pattern type is unknown");
    else if (!check.ok) skip("blocked_users", row, `the pattern ${check.reason}`);
    else return [{ account_identifier: check.pattern, pattern_type: type, notes: textOf(row["notes"]) }];
    return [];
  });
  const hashtags = file.rows("blocked_hashtags").flatMap((row) => {
    const hashtag = normaliseHashtag(String(row["hashtag"]));
    if (hashtag !== null)
      return [{ hashtag, hashtag_folded: foldHashtag(hashtag), notes: textOf(row["notes"]) }];
    skip("blocked_hashtags", row, "is not a hashtag");
    return [];
  });
  const topical = file.rows("topical_hashtags").flatMap((row) => {
    const hashtag = normaliseHashtag(String(row["hashtag"]));
    const day = row["topical_day_of_week"];
    const month_day = textOf(row["topical_month_day"]);
    const isDay = typeof day === "number" && day >= 0 && day <= 6;
    if (hashtag === null) skip("topical_hashtags", row, "is not a hashtag");
    else if (!isDay && (month_day === null || !isMonthDay(month_day)))
      skip("topical_hashtags", row, "has no day");
    else
      return [
        {
          hashtag,
          hashtag_folded: foldHashtag(hashtag),
          // FenLiu's weeks begin on Monday, those of topical_tag on Sunday.
          day_of_week: isDay ? (day + 1) % 7 : null,
          month_day: month_day !== null && isMonthDay(month_day) ? month_day : null,
        },
      ];
    return [];
  });
  const added = {
    users: await addEntries(tx, servicePrincipal, "user", users),
    hashtags: await addEntries(tx, servicePrincipal, "hashtag", hashtags),
    topical: await tx.topical_tag.createMany({ data: topical, skipDuplicates: true }),
  };
  await noteHoldChanges(tx, [{ pattern_type: "any", patterns: [] }]);
  return {
    blocked_users: added.users.rows.length,
    blocked_hashtags: added.hashtags.rows.length,
    topical_hashtags: added.topical.count,
    switches: await importSwitches(tx, file, skip),
    skipped,
  };
}

const textOf = (value: Row[string] | undefined) => (value == null || value === "" ? null : String(value));

async function importSwitches(
  tx: Tx,
  file: FenLiuFile,
  skip: (table: string, row: Row, reason: string) => void,
): Promise<number> {
  const data: Record<string, boolean> = {};
  for (const row of file.rows("app_settings")) {
    const name = switchNames.find((each) => each === row["key"]);
    const value = String(row["value"]).toLowerCase().replaceAll('"', "");
    if (name !== undefined && /^(true|false|1|0)$/.test(value))
      data[name] = value === "true" || value === "1";
    else skip("app_settings", { id: 0 }, `${row["key"]} is not a setting here`);
  }
  if (Object.keys(data).length > 0) await switches.set(data, tx);
  return Object.keys(data).length;
}

export interface ImportedStream {
  id: number;
  hashtag: string;
  hashtag_folded: string;
}

/** @returns streams by FenLiu's id */
export async function importStreams(
  tx: Tx,
  file: FenLiuFile,
): Promise<{ streams: Map<number, ImportedStream>; skipped: Skipped[] }> {
  const streams = new Map<number, ImportedStream>();
  const skipped: Skipped[] = [];
  for (const row of file.rows("hashtag_streams")) {
    const hashtag = normaliseHashtag(String(row["hashtag"]));
    const instance = hostOf(String(row["instance"]));
    const id = Number(row["id"]);
    if (hashtag === null || instance === null) {
      skipped.push({ table: "hashtag_streams", id, reason: "has no valid hashtag or server" });
      continue;
    }
    const hashtag_folded = foldHashtag(hashtag);
    const stored = await insertStream(tx, {
      id,
      hashtag,
      hashtag_folded,
      instance,
      enable_scheduling: row["enable_scheduling"] === 1,
      fetch_interval_minutes: Math.min(1440, Math.max(5, Number(row["fetch_interval_minutes"] ?? 60))),
      created_at: isoOf(textOf(row["created_at"])),
    });
    streams.set(id, { id: stored, hashtag, hashtag_folded });
  }
  return { streams, skipped };
}

function hostOf(instance: string): string | null {
  return parseWebUrl(/^https?:/.test(instance) ? instance : `https://${instance}`)?.host ?? null;
}

export async function skipStreamIds(tx: Tx, file: FenLiuFile): Promise<void> {
  await skipIds(tx, "stream", Math.max(0, ...file.rows("hashtag_streams").map((row) => Number(row["id"]))));
}

/** Those that were active in FenLiu. */
export async function startImportedStreams(
  tx: Tx,
  file: FenLiuFile,
  streams: ReadonlyMap<number, ImportedStream>,
): Promise<void> {
  const due = file.rows("hashtag_streams").flatMap((row) => {
    const stream = streams.get(Number(row["id"]));
    return stream === undefined || row["active"] !== 1
      ? []
      : [{ id: stream.id, at: isoOf(textOf(row["next_scheduled_fetch"])) }];
  });
  await startStreams(tx, due);
}
