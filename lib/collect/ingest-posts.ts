import type { Tx } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { queueRemote, type NewChecks } from "#lib/checks/score/score-texts.ts";
import type { ConsentPolicy } from "#lib/fediverse/consent-schema.ts";
import { judgeConsent } from "#lib/fediverse/judge-consent.ts";
import type { DropReason, NormaliseResult } from "#lib/fediverse/normalise-status.ts";
import { recordEvents } from "#lib/queue/record-event.ts";
import { forgetAuthors, type Refusal, withdrawPosts } from "./forget-authors.ts";
import { consentSettings, isAuthorRule, refusalOf, refusalsBeside } from "./consent.ts";
import { adoptShownAddresses } from "./adopt-address.ts";
import { streamRefuses, type SkipReason, type StreamFilters } from "./stream-filters.ts";
import { holdUnread, ingestKnown, rulesOf, type SeenAgain } from "./ingest-known.ts";
import { toIngestRow, type IngestRow } from "./post-row.ts";
import {
  insertPosts,
  lockKnown,
  noteRefusals,
  noteSightings,
  pastOf,
  rejectedBy,
  type ImportedPost,
  type IngestStream,
  type KnownRow,
  type Past,
} from "./ingest-sql.ts";

/** A stream, or only its rules. */
interface IngestRules extends IngestStream, StreamFilters {
  instance: string;
  consent_policy: ConsentPolicy;
}

export interface IngestResult {
  /** Includes posts rejected by a filter. */
  new: number;
  /** Posts that are known or permanently deleted. */
  duplicates: number;
  /** Duplicates that were changed. */
  updated: number;
  auto_rejected: number;
  /** By reason: the normaliser's, the consent rule, `no_media`, `reply`, `language`. */
  dropped: Record<string, number>;
  /** Reasons for unknown posts, by uri. */
  dropped_posts: ReadonlyMap<string, string>;
  /** Number of processed entries; fewer than given when `max_new` was reached. */
  taken: number;
  /** Authors (`user@host`) who refuse and have an open report, for `confirmOptOut`. */
  opted_out: string[];
}

/**
 * Stores the posts of a page. Idempotent and independent of order, because the `uri` is the identity. The number of
 * statements does not grow with the page. Call `readPostTexts` before the transaction.
 *
 * @param entries in timeline order; with `max_new`, processing ends before the first post over it
 * @param options.checks checks of new posts, by uri
 * @param options.imported ids and fetch times of posts from another installation, by uri
 */
export async function ingestPosts(
  tx: Tx,
  stream: IngestRules,
  entries: readonly NormaliseResult[],
  options: {
    max_new?: number;
    checks?: ReadonlyMap<string, NewChecks>;
    imported?: ReadonlyMap<string, ImportedPost>;
  } = {},
): Promise<IngestResult> {
  await adoptShownAddresses(
    tx,
    entries.flatMap((entry) => (entry.ok ? entry.post : [])),
  );
  const uris = [...new Set(entries.flatMap((entry) => (entry.ok ? entry.post.uri : (entry.uri ?? []))))];
  const known = new Map((await lockKnown(tx, uris)).map((row) => [row.uri, row]));
  const unknown = uris.filter((uri) => !known.has(uri));
  const past = await pastOf(tx, unknown);

  const walk = sortEntries(entries, stream, known, past, options.max_new ?? Infinity);

  const checks = options.checks ?? new Map<string, NewChecks>();
  const inserted = await insertPosts(tx, stream, walk.fresh, checks, options.imported);
  await queueRemote(
    tx,
    inserted.flatMap((row) => (checks.has(row.uri) ? row.id : [])),
    false,
  );
  const rejected = inserted.flatMap((row) => (row.auto_reject_reason === null ? [] : row.id));
  await recordRejections(tx, rejected);
  const changes = await ingestKnown(tx, stream, walk.again);
  await holdUnread(tx, walk.unread);
  await withdrawPosts(tx, walk.hidden, "withdrawn");
  const { reported } = await forgetAuthors(tx, [...changes.refusals, ...walk.authors]);
  const stored = new Set(inserted.map((row) => row.uri));
  await noteSightings(tx, stream, [
    ...walk.fresh.filter((row) => !stored.has(row.uri)),
    ...walk.again.flatMap(({ post }) => (streamRefuses(post, stream) === null ? post : [])),
  ]);
  await noteRefusals(tx, walk.refusals);
  for (const uri of stored) walk.dropped_posts.delete(uri);

  return {
    new: inserted.length,
    // Another stream stored these at the same time.
    duplicates: walk.duplicates + (walk.fresh.length - inserted.length),
    updated: changes.updated,
    auto_rejected: rejected.length,
    dropped: walk.dropped,
    dropped_posts: walk.dropped_posts,
    taken: walk.taken,
    opted_out: reported,
  };
}

const UNREAD: readonly DropReason[] = ["too_large", "unreadable"];

function sortEntries(
  entries: readonly NormaliseResult[],
  stream: IngestRules,
  known: ReadonlyMap<string, KnownRow>,
  past: ReadonlyMap<string, Past>,
  maxNew: number,
) {
  const isBuried = (uri: string) => past.get(uri)?.dropped === false;
  const sorted = {
    fresh: [] as IngestRow[],
    again: [] as SeenAgain[],
    /** Ids of known posts that are no longer public. */
    hidden: [] as number[],
    /** Known posts whose present version could not be read. */
    unread: [] as { row: KnownRow; from_home: boolean }[],
    refusals: [] as { uri: string; rule: string }[],
    /** Refusals that own servers showed with posts that are not stored. */
    authors: [] as Refusal[],
    duplicates: 0,
    dropped: {} as Record<string, number>,
    /** Reasons for posts that are not stored, by uri. */
    dropped_posts: new Map<string, string>(),
    taken: entries.length,
  };
  const seenUris = new Set<string>();
  const drop = (reason: SkipReason, uri: string | null) => {
    sorted.dropped[reason] = (sorted.dropped[reason] ?? 0) + 1;
    if (uri !== null && !known.has(uri) && !isBuried(uri)) sorted.dropped_posts.set(uri, reason);
  };
  for (const [index, entry] of entries.entries()) {
    if (!entry.ok) {
      const { uri, reason, from_home = false, author } = entry;
      drop(reason, uri);
      if (uri === null) continue;
      const row = known.get(uri);
      if (row !== undefined && UNREAD.includes(reason)) sorted.unread.push({ row, from_home });
      if (!from_home) continue;
      if (reason === "not_public") {
        if (row !== undefined) sorted.hidden.push(row.id);
        else sorted.refusals.push({ uri, rule: "visibility" });
      }
      const terms = row === undefined ? stream : rulesOf(row, stream);
      sorted.authors.push(...refusalsBeside(uri, author, terms));
      continue;
    }
    const { post } = entry;
    const row = known.get(post.uri);
    const buried = isBuried(post.uri);
    if (buried || row !== undefined || seenUris.has(post.uri)) sorted.duplicates++;
    if (seenUris.has(post.uri)) continue;
    seenUris.add(post.uri);
    if (row !== undefined) sorted.again.push({ row, post });
    if (row !== undefined || (buried && !post.from_home)) continue;
    const verdict = judgeConsent(post, consentSettings(stream));
    if (verdict.author_refusal !== null && post.from_home)
      sorted.authors.push(refusalOf(post.author, post.uri, verdict.author_refusal));
    if (buried) continue;
    if (verdict.verdict === "drop") {
      drop(verdict.rule, post.uri);
      sorted.refusals.push({ uri: post.uri, rule: verdict.rule });
      continue;
    }
    // A copy may be older than the refusal.
    const before = past.get(post.uri)?.reason ?? null;
    const reason =
      before !== null && isAuthorRule(before) && !post.from_home ? before : streamRefuses(post, stream);
    if (reason !== null) {
      drop(reason, post.uri);
      continue;
    }
    if (sorted.fresh.length >= maxNew) {
      sorted.taken = index;
      break;
    }
    sorted.fresh.push(toIngestRow(post, verdict.signals));
  }
  return sorted;
}

async function recordRejections(tx: Tx, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  const lines = (await rejectedBy(tx, ids)).map(({ id, reason, pattern, pattern_type }) => ({
    post_id: id,
    action: "auto_reject",
    from_state: "unreviewed",
    to_state: "rejected",
    note: pattern === null ? reason : `${reason}: ${pattern} (${pattern_type})`,
    details: { reason, pattern, pattern_type },
  }));
  await recordEvents(tx, servicePrincipal, lines, "filter");
}
