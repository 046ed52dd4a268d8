import { now, sleep } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { log } from "#lib/base/log.ts";
import { classifyPosts } from "#lib/checks/score/classify-posts.ts";
import { newPostScorer, type NewPostScorer } from "#lib/checks/score/score-texts.ts";
import { governedRequest } from "#lib/fediverse/governed-request.ts";
import { hashtagSource } from "#lib/fediverse/hashtag-source.ts";
import { authorNamer, knownServer } from "#lib/fediverse/hosts.ts";
import type { NormaliseResult } from "#lib/fediverse/normalise-status.ts";
import { confirmOptOut } from "./opt-outs.ts";
import { parseCursor, type StreamCursor } from "./cursor.ts";
import { BROKE_OFF, endRun, startRun, writeRun, type ClaimedStream, type RunFigures } from "./fetch-sql.ts";
import { LeaseLost, storePage } from "./store-page.ts";
import { walkTimeline } from "./walk-timeline.ts";
import type { FetchResult } from "./stream-schema.ts";
import { RemoteError } from "#lib/fediverse/remote-error.ts";

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

export interface FetchOutcome {
  figures: FetchResult;
  /** Earlier pages are stored. */
  failure: RemoteError | null;
}

/**
 * Always releases the stream. Each page is one transaction with its cursor, so an interrupted run repeats at
 * most one page.
 *
 * @throws LeaseLost
 */
export async function runFetch(stream: ClaimedStream, options: FetchOptions): Promise<FetchOutcome> {
  const runId = await startRun(stream);
  if (runId === null) throw new LeaseLost();
  const run = new FetchRun(stream, options);
  let failure: RemoteError | null = null;
  let waitUntil: Date | null = null;
  try {
    await run.walk(runId);
  } catch (error) {
    if (!(error instanceof RemoteError)) {
      await release(stream, run, runId, { sentence: BROKE_OFF, failure: null, waitUntil }).catch(
        // The lease expires by itself.
        (second: unknown) =>
          log.warn({ err: second, stream: stream.id }, "lease not released after a failed fetch"),
      );
      throw error;
    }
    failure = run.isGracefulEnd(error) ? null : error;
    waitUntil = error.retry_at;
  }
  await release(stream, run, runId, { sentence: failure?.message ?? null, failure, waitUntil });
  if (failure !== null) {
    // Waiting for a host is no failure.
    const level = failure.kind === "wait" ? "info" : "warn";
    log[level]({ stream: stream.id, host: stream.instance, reason: failure.message }, "fetch failed");
  }
  await run.followUp();
  return {
    figures: { stream_id: stream.id, ...run.figures, cursor_at_end: run.cursorAtEnd },
    failure,
  };
}

async function release(
  stream: ClaimedStream,
  run: FetchRun,
  runId: bigint,
  end: { sentence: string | null; failure: RemoteError | null; waitUntil: Date | null },
): Promise<void> {
  await db.$transaction(async (tx) => {
    await writeRun(tx, runId, run.figures, { error: end.sentence });
    await endRun(tx, stream, {
      error: end.sentence,
      kind: end.failure?.kind ?? null,
      waited: end.failure?.kind === "wait",
      behind: !run.cursorAtEnd,
      retry_at: end.waitUntil,
      platform: run.platform,
    });
  });
}

class FetchRun {
  readonly stream: ClaimedStream;
  readonly options: FetchOptions;
  readonly figures: RunFigures = {
    seen: 0,
    new: 0,
    duplicates: 0,
    updated: 0,
    auto_rejected: 0,
    dropped: {},
    pages: 0,
  };
  platform: string | null = null;
  cursorAtEnd = false;
  private scorer: NewPostScorer | null = null;
  private toClassify: number[] = [];
  private optedOut = new Set<string>();
  private readonly deadline: AbortSignal;

  constructor(stream: ClaimedStream, options: FetchOptions) {
    this.stream = stream;
    this.options = options;
    const timeout = AbortSignal.timeout(Math.max(1, options.deadline.getTime() - now().getTime()));
    this.deadline = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
  }

  /** @throws RemoteError, LeaseLost */
  async walk(runId: bigint): Promise<void> {
    const { instance: host, hashtag } = this.stream;
    const request = governedRequest({ maxWaitMs: MAX_WAIT_MS, signal: this.deadline });
    const server = await knownServer(host, request);
    this.platform = server.software.name;
    const nameAuthors = authorNamer(request);
    const fetchPage = hashtagSource(server, hashtag);
    const { BACKFILL_DAYS } = env();
    const { cursor_at_end } = await walkTimeline({
      source: async (olderThan) => {
        const page = await fetchPage(olderThan);
        this.figures.pages++;
        return { ...page, posts: await nameAuthors(page.posts) };
      },
      cursor: parseCursor(this.stream.cursor),
      backfill_days: BACKFILL_DAYS,
      now,
      mayGoOn: () => !this.deadline.aborted && this.figures.new < this.options.limit,
      store: (entries, next) => this.store(runId, entries, next),
    });
    this.cursorAtEnd = cursor_at_end;
  }

  /** The deadline, and the governor's limit after some pages, are not failures. */
  isGracefulEnd(failure: RemoteError): boolean {
    return failure.kind === "aborted" || (failure.kind === "wait" && this.figures.pages > 0);
  }

  private async store(
    runId: bigint,
    entries: readonly NormaliseResult[],
    next: (taken: number) => StreamCursor,
  ): Promise<{ taken: number; cursor: StreamCursor }> {
    const { stream, figures } = this;
    const scorer = (this.scorer ??= await newPostScorer());
    const page = { stream, runId, figures, scorer, max_new: this.options.limit - figures.new };
    const { result, cursor, figures: sums } = await storePage(page, entries, next);
    Object.assign(figures, sums);
    this.toClassify.push(...result.to_classify);
    for (const author of result.opted_out) this.optedOut.add(author);
    return { taken: result.taken, cursor };
  }

  /** Work outside the pages' transactions. */
  async followUp(): Promise<void> {
    for (const author of this.optedOut) await confirmOptOut(author);
    await this.classify();
  }

  /** The background job classifies the rest. */
  private async classify(): Promise<void> {
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
