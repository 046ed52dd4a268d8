import { now } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { isDatabaseAway, isLockConflict } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { newPostScorer, type NewChecks } from "#lib/checks/score/score-texts.ts";
import { governedRequest } from "#lib/fediverse/governed-request.ts";
import { hashtagSource } from "#lib/fediverse/hashtag-source.ts";
import { authorNamer, knownServer } from "#lib/fediverse/hosts.ts";
import type { NormaliseResult } from "#lib/fediverse/normalise-status.ts";
import { RemoteError } from "#lib/fediverse/remote-error.ts";
import { BROKE_OFF, endRun, holdLease, startRun, writeProgress, type ClaimedStream } from "./fetch-sql.ts";
import { ingestPosts, type IngestResult } from "./ingest-posts.ts";
import { confirmOptOut } from "./opt-outs.ts";
import { newText, readPostTexts } from "./post-row.ts";
import type { FetchResult, RunFigures } from "./stream-schema.ts";
import { parseCursor, walkTimeline, type StreamCursor } from "./walk-timeline.ts";

/** Milliseconds for requests, so that the response is sent within 25 s. */
export const FETCH_BUDGET = 22_000;
/** Longest wait for the host's governor. */
const MAX_WAIT_MS = 10_000;

export interface FetchOptions {
  /** Maximum of new posts. */
  limit: number;
  /** No page is requested after this time. */
  deadline: Date;
  /** Set when the process stops; stored pages stay. */
  signal?: AbortSignal | undefined;
}

/** The stream was deleted or changed, or another run has its lease. */
class LeaseLost extends Error {}

/** Rolls a trial transaction back. */
class Undo extends Error {}

/**
 * Fetches a claimed stream and always releases it. Each page is one transaction with its cursor, so an interrupted run repeats
 * at most one page.
 *
 * @returns null when the lease was lost. After a failure, earlier pages are stored
 */
export async function runFetch(
  stream: ClaimedStream,
  options: FetchOptions,
): Promise<{ figures: FetchResult; failure: RemoteError | null } | null> {
  const scorer = await newPostScorer();
  const runId = await startRun(stream);
  if (runId === null) return null;
  const timeout = AbortSignal.timeout(Math.max(1, options.deadline.getTime() - now().getTime()));
  const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
  const optedOut = new Set<string>();
  const zero = { seen: 0, new: 0, duplicates: 0, updated: 0, auto_rejected: 0, pages: 0 };
  let figures: RunFigures = { ...zero, dropped: {} };
  let platform: string | null = null;
  let cursor_at_end = false;

  const storeEntries = async (entries: Entries, checks: Checks, next: Next): Promise<void> => {
    const max_new = options.limit - figures.new;
    const stored = await inTransaction(async (tx) => {
      if (!(await holdLease(tx, stream))) throw new LeaseLost();
      const result = await ingestPosts(tx, stream, entries, { max_new, checks });
      const sum = sumOf(figures, result);
      await writeProgress(tx, runId, sum, { stream, cursor: next(result.taken) });
      return { ...result, sum };
    });
    figures = stored.sum;
    for (const author of stored.opted_out) optedOut.add(author);
  };

  /** A post that the database rejects is dropped as `unreadable`, so that it does not block its stream. */
  const store = async (entries: Entries, next: Next): Promise<void> => {
    const posts = entries.flatMap((entry) => (entry.ok ? entry.post : []));
    await readPostTexts(posts);
    const checks = await scorer.score(posts.map((post) => newText(post, stream.hashtag)));
    try {
      await storeEntries(entries, checks, next);
    } catch (error) {
      if (error instanceof LeaseLost || isDatabaseAway(error) || isLockConflict(error)) throw error;
      const readable = await withoutRefused(stream, entries);
      if (readable === null) throw error;
      log.warn({ err: error, stream: stream.id }, "post skipped: database rejected row");
      await storeEntries(readable, checks, next);
    }
  };

  const walk = async (): Promise<void> => {
    const request = governedRequest({ maxWaitMs: MAX_WAIT_MS, signal });
    const server = await knownServer(stream.instance, request);
    platform = server.software.name;
    const nameAuthors = authorNamer(request);
    const fetchPage = hashtagSource(server, stream.hashtag);
    const end = await walkTimeline({
      source: async (olderThan) => {
        const page = await fetchPage(olderThan);
        figures.pages++;
        return { ...page, posts: await nameAuthors(page.posts) };
      },
      cursor: parseCursor(stream.cursor),
      backfill_days: env().BACKFILL_DAYS,
      now,
      mayGoOn: () => !signal.aborted && figures.new < options.limit,
      store,
    });
    cursor_at_end = end.cursor_at_end;
  };

  const release = (error: string | null, failure: RemoteError | null, retry_at: Date | null) =>
    db.$transaction(async (tx) => {
      await writeProgress(tx, runId, figures, { error });
      await endRun(tx, stream, { error, failure, behind: !cursor_at_end, retry_at, platform });
    });

  let failure: RemoteError | null = null;
  let retryAt: Date | null = null;
  try {
    await walk();
  } catch (error) {
    if (!(error instanceof RemoteError)) {
      await release(BROKE_OFF, null, null).catch(
        // The lease expires by itself.
        (second: unknown) =>
          log.warn({ err: second, stream: stream.id }, "lease not released after a failed fetch"),
      );
      if (error instanceof LeaseLost) return null;
      throw error;
    }
    // The deadline is not a failure. The governor's limit is none after a first page.
    const isGraceful = error.kind === "aborted" || (error.kind === "wait" && figures.pages > 0);
    failure = isGraceful ? null : error;
    retryAt = error.retry_at;
  }
  await release(failure?.message ?? null, failure, retryAt);
  if (failure !== null) {
    // Waiting for a host is no failure.
    const level = failure.kind === "wait" ? "info" : "warn";
    log[level]({ stream: stream.id, host: stream.instance, reason: failure.message }, "fetch failed");
  }
  for (const author of optedOut) await confirmOptOut(author);
  // The posts are stored, so an error here is no failure of the fetch.
  await scorer.finish().catch((error: unknown) => {
    log.warn({ err: error, stream: stream.id }, "earlier copies of the posts were not checked again");
  });
  return { figures: { stream_id: stream.id, ...figures, cursor_at_end }, failure };
}

type Entries = readonly NormaliseResult[];
type Checks = ReadonlyMap<string, NewChecks>;
type Next = (taken: number) => StreamCursor;

/** The entries, with each one that the database refuses replaced by a drop; null when it refuses none. */
async function withoutRefused(stream: ClaimedStream, entries: Entries): Promise<Entries | null> {
  const judged: NormaliseResult[] = [];
  for (const entry of entries) {
    if (!entry.ok || (await canBeStored(stream, entry))) judged.push(entry);
    else {
      const { uri, from_home } = entry.post;
      judged.push({ ok: false, reason: "unreadable", uri, from_home });
    }
  }
  return judged.some((entry, index) => entry !== entries[index]) ? judged : null;
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
  const sum = { ...figures, dropped: { ...figures.dropped }, seen: figures.seen + stored.taken };
  for (const [reason, n] of Object.entries(stored.dropped))
    sum.dropped[reason] = (sum.dropped[reason] ?? 0) + n;
  for (const name of ["new", "duplicates", "updated", "auto_rejected"] as const) sum[name] += stored[name];
  return sum;
}
