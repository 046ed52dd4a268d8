import { z } from "zod";
import type { NormaliseResult } from "#lib/fediverse/normalise-status.ts";
import type { HashtagSource, TimelinePage } from "#lib/fediverse/hashtag-source.ts";

/*
 * `stream.cursor`, written in the transaction of its page. Positions are opaque ids of the remote server,
 * times ISO 8601.
 */

const position = z.string().min(1);
const time = z.string();

const cursor = z.object({
  /** The newest entry when the newest posts were last read to the known ones. Null before the first fetch. */
  head: position.nullable().default(null),
  /** When that was. */
  head_at: time.nullable().default(null),
  /** Lower end of the stream: the first fetch minus BACKFILL_DAYS. */
  since: time.nullable().default(null),
  /** New posts that are not yet read: from `at` back to `head_at`. `top` then becomes `head`. */
  gap: z.object({ at: position, top: position, top_at: time }).nullable().default(null),
  /** The unfinished walk from `at` back to `until`: of the `first` fetch, or over known posts. */
  past: z.object({ at: position, until: time, first: z.boolean() }).nullable().default(null),
  /** The last long walk over known posts. */
  deep_at: time.nullable().default(null),
  /** Consecutive runs with too many new posts to read back. */
  starved: z.int().min(0).default(0),
});

export type StreamCursor = z.output<typeof cursor>;

/** An unreadable cursor restarts the stream. */
export function parseCursor(stored: unknown): StreamCursor {
  const parsed = cursor.safeParse(stored);
  return parsed.success ? parsed.data : cursor.parse({});
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Depth of each run over known posts, because some appear below the newest ones. */
const OVERLAP_HOURS = 6;
/** The same, once a day. */
const DEEP_HOURS = 72;
/** After this many runs that only brought new posts, a run reads back first. */
const STARVED_RUNS = 3;
/** Limit of pages in such a run, so that it also brings new posts. */
const OVERLAP_PAGES = 10;

function idOf(entry: NormaliseResult): string | null {
  return entry.ok ? entry.post.remote_id : null;
}

function lastId(entries: readonly NormaliseResult[]): string | null {
  const last = entries.findLast((entry) => idOf(entry) !== null);
  return last === undefined ? null : idOf(last);
}

/** Servers insert single old posts late, so that one old post says nothing about those below it. */
const TAIL = 3;

/** Creation times of the last three posts of pages that follow each other. */
function tailOf(before: readonly string[], posts: readonly NormaliseResult[]): string[] {
  return [...before, ...posts.flatMap((entry) => (entry.ok ? entry.post.created_at : []))].slice(-TAIL);
}

function liesBefore(tail: readonly string[], time: string | null): boolean {
  return time !== null && tail.length === TAIL && tail.every((created) => created < time);
}

export interface Walk {
  source: HashtagSource;
  cursor: StreamCursor;
  /** Depth of the first fetch, in days. */
  backfill_days: number;
  now: () => Date;
  /** False at the deadline or at the limit of new posts. */
  mayGoOn: () => boolean;
  /**
   * Stores entries in this order, with the cursor that `next` returns for the number taken (fewer at the
   * limit of new posts).
   */
  store: (
    entries: readonly NormaliseResult[],
    next: (taken: number) => StreamCursor,
  ) => Promise<{ taken: number; cursor: StreamCursor }>;
}

/**
 * Reads the newest page, then back to the posts of the last run, then on over known posts
 * (docs/decisions/0022-timeline-positions.md).
 *
 * @returns whether nothing is left to read, except known posts
 */
export async function walkTimeline(walk: Walk): Promise<{ cursor_at_end: boolean }> {
  const reader = new Reader(walk);
  if (reader.cursor.starved >= STARVED_RUNS) await reader.readKnownFirst();
  await reader.readGap();
  const isTopRead = reader.cursor.gap === null && (await reader.readTop());
  if (isTopRead) await reader.readGap();
  if (reader.cursor.gap === null) await reader.readPast();
  const { gap, past } = reader.cursor;
  return { cursor_at_end: isTopRead && gap === null && past?.first !== true };
}

class Reader {
  readonly walk: Walk;
  cursor: StreamCursor;
  /** Of the pages that were read one below the other. */
  private tail: string[] = [];
  private lookedBack = false;

  constructor(walk: Walk) {
    this.walk = walk;
    this.cursor = walk.cursor;
  }

  /** @returns false when it was not read, or not to its first new post */
  async readTop(): Promise<boolean> {
    if (!this.walk.mayGoOn()) return false;
    const now = this.walk.now();
    const page = await this.page(null);
    const top = page.newer;
    if (top === null) return true;
    const { head_at } = this.cursor;
    const newest = { top, top_at: now.toISOString() };
    let isBegun = true;
    await this.store(page, (at, isWhole) => {
      if (at === null && !isWhole) {
        isBegun = false;
        return this.cursor;
      }
      // The first fetch has read what is above its first page.
      if (head_at === null || (isWhole && this.reaches(page, head_at))) return this.withTop(newest, at);
      return { ...this.cursor, gap: at === null ? null : { ...newest, at }, starved: this.starved };
    });
    return isBegun;
  }

  /** Reads the rest of the new posts. */
  async readGap(): Promise<void> {
    const { head_at } = this.cursor;
    while (this.cursor.gap !== null && this.walk.mayGoOn()) {
      const { gap } = this.cursor;
      const page = await this.page(gap.at);
      await this.store(page, (at, isWhole) =>
        isWhole && this.reaches(page, head_at)
          ? this.withTop(gap, at)
          : { ...this.cursor, gap: { ...gap, at: at ?? gap.at }, starved: this.starved },
      );
    }
  }

  /** All posts down to the known ones are read; known ones follow below `at`. */
  private withTop({ top, top_at }: { top: string; top_at: string }, at: string | null): StreamCursor {
    const cursor = { ...this.cursor, head: top, head_at: top_at, gap: null, starved: this.starved };
    if (cursor.past !== null) return cursor;
    if (cursor.since !== null) return this.withOverlap(cursor, at);
    const since = new Date(Date.parse(top_at) - this.walk.backfill_days * DAY).toISOString();
    const past = at === null || liesBefore(this.tail, since) ? null : { at, until: since, first: true };
    return { ...cursor, since, deep_at: top_at, past, starved: 0 };
  }

  private withOverlap(cursor: StreamCursor, at: string | null): StreamCursor {
    const now = this.walk.now();
    const isDeep = cursor.deep_at === null || now.getTime() - Date.parse(cursor.deep_at) >= DAY;
    const hours = isDeep ? DEEP_HOURS : OVERLAP_HOURS;
    const depth = new Date(now.getTime() - hours * HOUR).toISOString();
    const until = cursor.since !== null && cursor.since > depth ? cursor.since : depth;
    const past = at === null || liesBefore(this.tail, until) ? null : { at, until, first: false };
    const deep_at = isDeep ? now.toISOString() : cursor.deep_at;
    return { ...cursor, past, deep_at, starved: past === null ? 0 : cursor.starved };
  }

  /** For a stream that always has more new posts than its limit. */
  async readKnownFirst(): Promise<void> {
    if (this.cursor.past === null) this.cursor = this.withOverlap(this.cursor, this.cursor.head);
    await this.readPast(OVERLAP_PAGES);
    this.tail = [];
  }

  /**
   * Reads known posts, or those before the first fetch. The next run continues.
   *
   * @param maxPages pages
   */
  async readPast(maxPages = Infinity): Promise<void> {
    for (let pages = 0; this.cursor.past !== null && pages < maxPages && this.walk.mayGoOn(); pages++) {
      const { past } = this.cursor;
      const page = await this.page(past.at);
      this.lookedBack = true;
      await this.store(page, (at, isWhole) => {
        const isDone = isWhole && this.reaches(page, past.until);
        return { ...this.cursor, past: isDone ? null : { ...past, at: at ?? past.at }, starved: 0 };
      });
    }
  }

  /** Consecutive runs that have not read back, this one included. */
  private get starved(): number {
    return this.lookedBack ? 0 : Math.min(this.walk.cursor.starved + 1, STARVED_RUNS);
  }

  private reaches(page: TimelinePage, time: string | null): boolean {
    return page.older === null || liesBefore(this.tail, time);
  }

  private async page(at: string | null): Promise<TimelinePage> {
    const page = await this.walk.source(at);
    this.tail = tailOf(this.tail, page.posts);
    return page;
  }

  /** `next` gets the position below the stored posts (null for the end, or none) and whether all were taken. */
  private async store(
    page: TimelinePage,
    next: (at: string | null, isWhole: boolean) => StreamCursor,
  ): Promise<void> {
    const { cursor } = await this.walk.store(page.posts, (taken) => {
      const isWhole = taken === page.posts.length;
      return next(isWhole ? page.older : lastId(page.posts.slice(0, taken)), isWhole);
    });
    this.cursor = cursor;
  }
}
