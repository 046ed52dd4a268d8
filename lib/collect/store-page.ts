import { db } from "#lib/base/db.ts";
import { isDatabaseAway, isLockConflict } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import type { NewChecks, NewPostScorer } from "#lib/checks/score/score-texts.ts";
import type { NormalisedPost, NormaliseResult } from "#lib/fediverse/normalise-status.ts";
import { ingestPosts, type IngestResult } from "./ingest-posts.ts";
import { toNewText } from "./post-row.ts";
import { readPostTexts } from "./post-texts.ts";
import type { StreamCursor } from "./cursor.ts";
import { holdLease, moveCursor, writeRun, type ClaimedStream, type RunFigures } from "./fetch-sql.ts";

/** The stream was deleted or changed, or another run has its lease. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/** Rolls a trial transaction back. */
class Undo extends Error {}

export interface PageStore {
  stream: ClaimedStream;
  runId: bigint;
  figures: RunFigures;
  scorer: NewPostScorer;
  /** Maximum of new posts. */
  max_new: number;
}

/**
 * A post that the database rejects is dropped as `unreadable`, so that it does not block its stream.
 *
 * @throws LeaseLost
 */
export async function storePage(
  page: PageStore,
  entries: readonly NormaliseResult[],
  next: (taken: number) => StreamCursor,
): Promise<{ result: IngestResult; cursor: StreamCursor; figures: RunFigures }> {
  const posts = entries.flatMap((entry) => (entry.ok ? entry.post : []));
  await readPostTexts(posts);
  const checks = await page.scorer.score(posts.map((post) => toNewText(post, page.stream.hashtag)));
  try {
    return await storeEntries(page, entries, checks, next);
  } catch (error) {
    if (error instanceof LeaseLost || isDatabaseAway(error) || isLockConflict(error)) throw error;
    const readable = await withoutRefused(page.stream, entries);
    if (readable === null) throw error;
    log.warn({ err: error, stream: page.stream.id }, "post skipped: database rejected row");
    return storeEntries(page, readable, checks, next);
  }
}

function storeEntries(
  page: PageStore,
  entries: readonly NormaliseResult[],
  checks: ReadonlyMap<string, NewChecks>,
  next: (taken: number) => StreamCursor,
): Promise<{ result: IngestResult; cursor: StreamCursor; figures: RunFigures }> {
  return inTransaction(async (tx) => {
    if (!(await holdLease(tx, page.stream))) throw new LeaseLost();
    const result = await ingestPosts(tx, page.stream, entries, { max_new: page.max_new, checks });
    const cursor = next(result.taken);
    const figures = sumOf(page.figures, result);
    await writeRun(tx, page.runId, figures, null);
    if (!(await moveCursor(tx, page.stream, cursor))) throw new LeaseLost();
    return { result, cursor, figures };
  });
}

/** Replaces each entry that fails alone; null when none does. */
async function withoutRefused(
  stream: ClaimedStream,
  entries: readonly NormaliseResult[],
): Promise<NormaliseResult[] | null> {
  const judged: NormaliseResult[] = [];
  for (const entry of entries) {
    const refused = entry.ok && !(await canBeStored(stream, entry));
    judged.push(refused ? unreadable(entry.post) : entry);
  }
  return judged.some((entry, index) => entry !== entries[index]) ? judged : null;
}

function unreadable({ uri, from_home }: NormalisedPost): NormaliseResult {
  return { ok: false, reason: "unreadable", uri, from_home };
}

async function canBeStored(stream: ClaimedStream, entry: NormaliseResult): Promise<boolean> {
  try {
    await db.$transaction(async (tx) => {
      await ingestPosts(tx, stream, [entry]);
      throw new Undo();
    });
    return true;
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    return error instanceof Undo || isLockConflict(error);
  }
}

function sumOf(figures: RunFigures, stored: IngestResult): RunFigures {
  const dropped = { ...figures.dropped };
  for (const [reason, n] of Object.entries(stored.dropped)) dropped[reason] = (dropped[reason] ?? 0) + n;
  return {
    seen: figures.seen + stored.taken,
    new: figures.new + stored.new,
    duplicates: figures.duplicates + stored.duplicates,
    updated: figures.updated + stored.updated,
    auto_rejected: figures.auto_rejected + stored.auto_rejected,
    dropped,
    pages: figures.pages,
  };
}
