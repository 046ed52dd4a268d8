import { z } from "zod";
import type { NormaliseResult } from "#lib/fediverse/normalise-status.ts";
import type { HashtagSource, TimelinePage } from "#lib/fediverse/hashtag-source.ts";

/*
 * `stream.cursor`, written in the transaction of its page. Positions are opaque ids of the remote server,
 * times ISO 8601.
 */

const position = z.string().min(1);

const cursor = z.object({
  /** The newest entry when the newest posts were last read to the known ones. Null before the first fetch. */
  head: position.nullable().default(null),
  /** Time of that reading. */
  head_at: z.string().nullable().default(null),
  /** Lower end of the stream: the first fetch minus BACKFILL_DAYS. */
  since: z.string().nullable().default(null),
  /** New posts that are not read yet, from `at` back to `head_at`. When they are read, `top` becomes `head`. */
  gap: z.object({ at: position, top: position, top_at: z.string() }).nullable().default(null),
  /** An unfinished walk from `at` back to `until`. `first`: the first fetch; otherwise over known posts. */
  past: z.object({ at: position, until: z.string(), first: z.boolean() }).nullable().default(null),
  /** Time of the last long walk over known posts. */
  deep_at: z.string().nullable().default(null),
  /** Number of consecutive runs with too many new posts to read back. */
  starved: z.int().min(0).default(0),
});

export type StreamCursor = z.output<typeof cursor>;

/** Reads a stored cursor. An unreadable one restarts the stream. */
export function parseCursor(stored: unknown): StreamCursor {
  return cursor.safeParse(stored).data ?? cursor.parse({});
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Each run reads known posts of so many hours again, because some posts appear below the newest ones. */
const OVERLAP_HOURS = 6;
/** Once a day it reads those of so many hours. */
const DEEP_HOURS = 72;
/** After so many runs that brought only new posts, a run reads back first. */
const STARVED_RUNS = 3;
/** Most pages that such a run reads back, so that it also brings new posts. */
const OVERLAP_PAGES = 10;

/** A time is reached when the last so many posts are older, because servers insert single old posts late. */
const TAIL = 3;

export interface Walk {
  source: HashtagSource;
  cursor: StreamCursor;
  /** Depth of the first fetch, in days. */
  backfill_days: number;
  now: () => Date;
  /** Returns false at the deadline and at the limit of new posts. */
  mayGoOn: () => boolean;
  /**
   * Stores entries in this order, with the cursor that `next` returns for the number taken (fewer at the
   * limit of new posts). `next` may run again.
   */
  store: (entries: readonly NormaliseResult[], next: (taken: number) => StreamCursor) => Promise<void>;
}

/**
 * Reads the newest page, then back to the posts of the last run, then on over known posts
 * (docs/decisions/0022-timeline-positions.md).
 *
 * @returns `cursor_at_end`: whether only known posts are left to read
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
  /** Creation times of the last posts of pages that were read one below the other. */
  private tail: string[] = [];
  private lookedBack = false;

  constructor(walk: Walk) {
    this.walk = walk;
    this.cursor = walk.cursor;
  }

  /** @returns false when the page was not read, or not down to its first new post */
  async readTop(): Promise<boolean> {
    if (!this.walk.mayGoOn()) return false;
    const top_at = this.walk.now().toISOString();
    const { head_at } = this.cursor;
    let isBegun = true;
    await this.storePage(null, (page, at, isWhole) => {
      const top = page.newer;
      isBegun = top === null || at !== null || isWhole;
      if (top === null || !isBegun) return this.cursor;
      // The first fetch has read what is above its first page.
      if (head_at === null || (isWhole && this.reaches(page, head_at)))
        return this.withTop({ top, top_at }, at);
      return { ...this.cursor, gap: at === null ? null : { top, top_at, at }, starved: this.starved };
    });
    return isBegun;
  }

  /** Reads the rest of the new posts. */
  async readGap(): Promise<void> {
    const { head_at } = this.cursor;
    while (this.cursor.gap !== null && this.walk.mayGoOn()) {
      const { gap } = this.cursor;
      await this.storePage(gap.at, (page, at, isWhole) =>
        isWhole && this.reaches(page, head_at)
          ? this.withTop(gap, at)
          : { ...this.cursor, gap: { ...gap, at: at ?? gap.at }, starved: this.starved },
      );
    }
  }

  /** The cursor after all new posts were read. Known posts follow below `at`. */
  private withTop({ top, top_at }: { top: string; top_at: string }, at: string | null): StreamCursor {
    const cursor = { ...this.cursor, head: top, head_at: top_at, gap: null, starved: this.starved };
    if (cursor.past !== null) return cursor;
    if (cursor.since !== null) return this.withOverlap(cursor, at);
    const since = new Date(Date.parse(top_at) - this.walk.backfill_days * DAY).toISOString();
    return { ...cursor, since, deep_at: top_at, past: this.pastFrom(at, since, true), starved: 0 };
  }

  private withOverlap(cursor: StreamCursor, at: string | null): StreamCursor {
    const now = this.walk.now();
    const isDeep = cursor.deep_at === null || now.getTime() - Date.parse(cursor.deep_at) >= DAY;
    const depth = new Date(now.getTime() - (isDeep ? DEEP_HOURS : OVERLAP_HOURS) * HOUR).toISOString();
    const until = cursor.since !== null && cursor.since > depth ? cursor.since : depth;
    const past = this.pastFrom(at, until, false);
    const deep_at = isDeep ? now.toISOString() : cursor.deep_at;
    return { ...cursor, past, deep_at, starved: past === null ? 0 : cursor.starved };
  }

  private pastFrom(at: string | null, until: string, first: boolean): StreamCursor["past"] {
    return at === null || this.liesBefore(until) ? null : { at, until, first };
  }

  /** Reads back first. For a stream that always has more new posts than its limit. */
  async readKnownFirst(): Promise<void> {
    if (this.cursor.past === null) this.cursor = this.withOverlap(this.cursor, this.cursor.head);
    await this.readPast(OVERLAP_PAGES);
    this.tail = [];
  }

  /** Reads known posts, or those before the first fetch. The next run continues. */
  async readPast(maxPages = Infinity): Promise<void> {
    for (let pages = 0; this.cursor.past !== null && pages < maxPages && this.walk.mayGoOn(); pages++) {
      const { past } = this.cursor;
      await this.storePage(past.at, (page, at, isWhole) => {
        this.lookedBack = true;
        const isDone = isWhole && this.reaches(page, past.until);
        return { ...this.cursor, past: isDone ? null : { ...past, at: at ?? past.at }, starved: 0 };
      });
    }
  }

  /** Consecutive runs that have not read back, this one included. */
  private get starved(): number {
    return this.lookedBack ? 0 : Math.min(this.walk.cursor.starved + 1, STARVED_RUNS);
  }

  private liesBefore(time: string | null): boolean {
    return time !== null && this.tail.length === TAIL && this.tail.every((created) => created < time);
  }

  private reaches({ older }: TimelinePage, time: string | null): boolean {
    return older === null || this.liesBefore(time);
  }

  /** @param next gets the position below the stored posts (null at the end or without posts), and whether all were taken */
  private async storePage(
    below: string | null,
    next: (page: TimelinePage, at: string | null, isWhole: boolean) => StreamCursor,
  ): Promise<void> {
    const page = await this.walk.source(below);
    const times = page.posts.flatMap((entry) => (entry.ok ? entry.post.created_at : []));
    this.tail = [...this.tail, ...times].slice(-TAIL);
    let after = this.cursor;
    await this.walk.store(page.posts, (taken) => {
      const ids = page.posts.slice(0, taken).flatMap((entry) => (entry.ok ? entry.post.remote_id : []));
      const isWhole = taken === page.posts.length;
      after = next(page, isWhole ? page.older : (ids.at(-1) ?? null), isWhole);
      return after;
    });
    this.cursor = after;
  }
}
