import { now, sleep } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { isDatabaseAway, isLockConflict } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { classifyPosts } from "#lib/checks/score/classify-posts.ts";
import { newPostScorer, type NewChecks, type NewPostScorer } from "#lib/checks/score/score-texts.ts";
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

/** Time for requests, in milliseconds; the response is sent within 25 s. */
export const FETCH_BUDGET = 22_000;
/** Wait for the host's governor, in milliseconds. */
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
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/** Rolls a trial transaction back. */
class Undo extends Error {}

/**
 * Always releases the stream. Each page is one transaction with its cursor, so an interrupted run repeats at
 * most one page.
 *
 * @returns with a failure, earlier pages are stored
 * @throws LeaseLost
 */
export async function runFetch(
  stream: ClaimedStream,
  options: FetchOptions,
): Promise<{ figures: FetchResult; failure: RemoteError | null }> {
  const runId = await startRun(stream);
  if (runId === null) throw new LeaseLost();
  const run = new FetchRun(stream, options, runId);
  let failure: RemoteError | null = null;
  let waitUntil: Date | null = null;
  try {
    await run.walk();
  } catch (error) {
    if (!(error instanceof RemoteError)) {
      await run.release(BROKE_OFF, null, null).catch(
        // The lease expires by itself.
        (second: unknown) =>
          log.warn({ err: second, stream: stream.id }, "lease not released after a failed fetch"),
      );
      throw error;
    }
    failure = run.isGracefulEnd(error) ? null : error;
    waitUntil = error.retry_at;
  }
  await run.release(failure?.message ?? null, failure, waitUntil);
  if (failure !== null) {
    // Waiting for a host is no failure.
    const level = failure.kind === "wait" ? "info" : "warn";
    log[level]({ stream: stream.id, host: stream.instance, reason: failure.message }, "fetch failed");
  }
  await run.followUp();
  return { figures: { stream_id: stream.id, ...run.figures, cursor_at_end: run.cursorAtEnd }, failure };
}

class FetchRun {
  readonly stream: ClaimedStream;
  readonly options: FetchOptions;
  readonly runId: bigint;
  figures: RunFigures = {
    seen: 0,
    new: 0,
    duplicates: 0,
    updated: 0,
    auto_rejected: 0,
    dropped: {},
    pages: 0,
  };
  cursorAtEnd = false;
  private platform: string | null = null;
  private scorer: NewPostScorer | null = null;
  private toClassify: number[] = [];
  private optedOut = new Set<string>();
  private readonly deadline: AbortSignal;

  constructor(stream: ClaimedStream, options: FetchOptions, runId: bigint) {
    this.stream = stream;
    this.options = options;
    this.runId = runId;
    const timeout = AbortSignal.timeout(Math.max(1, options.deadline.getTime() - now().getTime()));
    this.deadline = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
  }

  /** @throws RemoteError, LeaseLost */
  async walk(): Promise<void> {
    const request = governedRequest({ maxWaitMs: MAX_WAIT_MS, signal: this.deadline });
    const server = await knownServer(this.stream.instance, request);
    this.platform = server.software.name;
    const nameAuthors = authorNamer(request);
    const fetchPage = hashtagSource(server, this.stream.hashtag);
    const { cursor_at_end } = await walkTimeline({
      source: async (olderThan) => {
        const page = await fetchPage(olderThan);
        this.figures.pages++;
        return { ...page, posts: await nameAuthors(page.posts) };
      },
      cursor: parseCursor(this.stream.cursor),
      backfill_days: env().BACKFILL_DAYS,
      now,
      mayGoOn: () => !this.deadline.aborted && this.figures.new < this.options.limit,
      store: (entries, next) => this.storePage(entries, next),
    });
    this.cursorAtEnd = cursor_at_end;
  }

  /** The deadline, and the governor's limit after some pages, are not failures. */
  isGracefulEnd(failure: RemoteError): boolean {
    return failure.kind === "aborted" || (failure.kind === "wait" && this.figures.pages > 0);
  }

  async release(error: string | null, failure: RemoteError | null, retry_at: Date | null): Promise<void> {
    await db.$transaction(async (tx) => {
      await writeProgress(tx, this.runId, this.figures, { error });
      await endRun(tx, this.stream, {
        error,
        kind: failure?.kind ?? null,
        waited: failure?.kind === "wait",
        behind: !this.cursorAtEnd,
        retry_at,
        platform: this.platform,
      });
    });
  }

  /** A post that the database rejects is dropped as `unreadable`, so that it does not block its stream. */
  private async storePage(
    entries: readonly NormaliseResult[],
    next: (taken: number) => StreamCursor,
  ): Promise<void> {
    const posts = entries.flatMap((entry) => (entry.ok ? entry.post : []));
    await readPostTexts(posts);
    const scorer = (this.scorer ??= await newPostScorer());
    const checks = await scorer.score(posts.map((post) => newText(post, this.stream.hashtag)));
    try {
      await this.storeEntries(entries, checks, next);
    } catch (error) {
      if (error instanceof LeaseLost || isDatabaseAway(error) || isLockConflict(error)) throw error;
      const readable = await this.withoutRefused(entries);
      if (readable === null) throw error;
      log.warn({ err: error, stream: this.stream.id }, "post skipped: database rejected row");
      await this.storeEntries(readable, checks, next);
    }
  }

  private async storeEntries(
    entries: readonly NormaliseResult[],
    checks: ReadonlyMap<string, NewChecks>,
    next: (taken: number) => StreamCursor,
  ): Promise<void> {
    const { stream } = this;
    const max_new = this.options.limit - this.figures.new;
    const { result, figures } = await inTransaction(async (tx) => {
      if (!(await holdLease(tx, stream))) throw new LeaseLost();
      const result = await ingestPosts(tx, stream, entries, { max_new, checks });
      const figures = sumOf(this.figures, result);
      await writeProgress(tx, this.runId, figures, { stream, cursor: next(result.taken) });
      return { result, figures };
    });
    this.figures = figures;
    this.toClassify.push(...result.to_classify);
    for (const author of result.opted_out) this.optedOut.add(author);
  }

  /** Replaces each entry that fails alone; null when none does. */
  private async withoutRefused(entries: readonly NormaliseResult[]): Promise<NormaliseResult[] | null> {
    const judged: NormaliseResult[] = [];
    for (const entry of entries) {
      if (!entry.ok || (await this.canBeStored(entry))) judged.push(entry);
      else
        judged.push({
          ok: false,
          reason: "unreadable",
          uri: entry.post.uri,
          from_home: entry.post.from_home,
        });
    }
    return judged.some((entry, index) => entry !== entries[index]) ? judged : null;
  }

  private async canBeStored(entry: NormaliseResult): Promise<boolean> {
    try {
      await db.$transaction(async (tx) => {
        await ingestPosts(tx, this.stream, [entry]);
        throw new Undo();
      });
      return true;
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      return error instanceof Undo || isLockConflict(error);
    }
  }

  /** Work outside the pages' transactions. The background job classifies what it does not reach. */
  async followUp(): Promise<void> {
    for (const author of this.optedOut) await confirmOptOut(author);
    const timeLeftMs = this.options.deadline.getTime() + 2_000 - now().getTime();
    const enough = new AbortController();
    await Promise.race([this.finishChecks(), sleep(Math.max(0, timeLeftMs), enough.signal)]);
    enough.abort();
  }

  private async finishChecks(): Promise<void> {
    if (this.toClassify.length > 0) await classifyPosts(this.toClassify);
    await this.scorer?.finish().catch((error: unknown) => {
      log.warn({ err: error, stream: this.stream.id }, "earlier copies of the posts were not checked again");
    });
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
