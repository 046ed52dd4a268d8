import type { NormaliseResult } from "#lib/fediverse/normalised-post.ts";
import {
  type HashtagSource,
  type PageCursor,
  type TimelinePage,
  hasId,
  idOf,
  lastId,
  liesBefore,
  tailOf,
} from "#lib/fediverse/timeline.ts";
import type { StreamCursor } from "./cursor.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Depth of the daily walk over known posts. */
const DEEP_HOURS = 72;
/** After this many runs that only brought new posts, a run reads back first. */
const STARVED_RUNS = 3;
/** Limit of known pages in such a run, so that it also brings new posts. */
const OVERLAP_PAGES = 10;

export interface Walk {
  source: Pick<HashtagSource, "pages_forward" | "fetchPage">;
  cursor: StreamCursor;
  /** Depth of the first fetch, in days. */
  backfill_days: number;
  /** Depth of each run over known posts, in hours; 0 disables it. */
  overlap_hours: number;
  now: () => Date;
  /** False at the deadline or at the limit of new posts. */
  mayGoOn: () => boolean;
  seenIds: (posts: readonly NormaliseResult[]) => Promise<ReadonlySet<string>>;
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
 * Reads new posts, then back to the end of the backfill, then again over known posts, because some appear
 * below the cursor (docs/decisions/0022-timeline-positions.md).
 *
 * @returns whether nothing is left to read, except the overlap
 */
export async function walkTimeline(walk: Walk): Promise<{ cursor_at_end: boolean }> {
  const reader = new Reader(walk);
  if (reader.cursor.head === null) {
    await reader.readFirst();
    await reader.readBackfill();
    return { cursor_at_end: reader.isAtEnd };
  }
  if (reader.cursor.starved >= STARVED_RUNS) {
    await reader.readOverlap({ at: reader.cursor.head, above: [] }, OVERLAP_PAGES);
    await reader.readBackfill();
  }
  await reader.readGap();
  const overlapFrom = reader.cursor.gap === null ? await reader.readNewest() : null;
  await reader.readBackfill();
  if (overlapFrom !== null && reader.isAtEnd) await reader.readOverlap(overlapFrom);
  await reader.noteLooksBack();
  return { cursor_at_end: reader.isAtEnd };
}

interface OverlapStart {
  at: string | null;
  above: readonly NormaliseResult[];
}

class Reader {
  readonly walk: Walk;
  cursor: StreamCursor;
  /** False while pages above `head` are unread. */
  private headIsTop = true;
  private lookedBack = false;

  constructor(walk: Walk) {
    this.walk = walk;
    this.cursor = walk.cursor;
  }

  get isAtEnd(): boolean {
    return this.headIsTop && this.cursor.gap === null && this.cursor.backfill === null;
  }

  async readFirst(): Promise<void> {
    const page = await this.page(null);
    const now = this.walk.now();
    const since = new Date(now.getTime() - this.walk.backfill_days * DAY).toISOString();
    const top = page.newer;
    if (top === null) return;
    const below =
      page.older !== null && !liesBefore(tailOf([], page.posts), since) ? { at: page.older } : null;
    await this.store(page.posts, (all, last) => ({
      ...this.cursor,
      head: top,
      head_at: now.toISOString(),
      since,
      // The next deep walk is due in a day.
      deep_at: now.toISOString(),
      backfill: all ? below : last === null ? null : { at: last },
    }));
  }

  async readBackfill(): Promise<void> {
    const { since } = this.cursor;
    let tail: string[] = [];
    while (this.cursor.backfill !== null && this.walk.mayGoOn()) {
      const { at } = this.cursor.backfill;
      const page = await this.page({ older_than: at });
      this.lookedBack = true;
      tail = tailOf(tail, page.posts);
      const below = page.older === null || liesBefore(tail, since) ? null : { at: page.older };
      await this.store(page.posts, (all, last) => ({
        ...this.cursor,
        backfill: all ? below : { at: last ?? at },
      }));
    }
  }

  /** Returns the start of the overlap; null when more is left. */
  async readNewest(): Promise<OverlapStart | null> {
    if (!this.walk.mayGoOn()) {
      this.headIsTop = false;
      return null;
    }
    const before = this.cursor.head;
    const newest = await this.page(null);
    const top = newest.newer;
    if (top === null) return { at: null, above: [] };
    const known = await this.firstKnown(newest.posts);
    if (known !== -1 || newest.older === null) {
      await this.readUpwards(newest.posts, top, known === -1 ? newest.posts.length : known);
      return this.headIsTop ? { at: newest.older, above: newest.posts } : null;
    }
    if (this.walk.source.pages_forward && (await this.readForward(top))) {
      return this.headIsTop ? { at: before, above: [] } : null;
    }
    await this.openGap(newest, top);
    await this.readGap();
    return this.cursor.gap === null ? { at: before, above: [] } : null;
  }

  /**
   * New posts upwards, so that a cut leaves no gap; then known ones downwards.
   *
   * @param fresh number of new entries
   */
  private async readUpwards(posts: readonly NormaliseResult[], top: string, fresh: number): Promise<void> {
    const entries = [...posts.slice(0, fresh).reverse(), ...posts.slice(fresh)];
    const { cursor } = await this.walk.store(entries, (taken) => {
      this.headIsTop = taken >= fresh;
      return this.headIsTop
        ? { ...this.cursor, head: top, head_at: this.walk.now().toISOString() }
        : { ...this.cursor, head: lastId(entries.slice(0, taken)) ?? this.cursor.head };
    });
    this.cursor = cursor;
  }

  /** -1 when no entry is known. */
  private async firstKnown(posts: readonly NormaliseResult[]): Promise<number> {
    const seen = await this.walk.seenIds(posts);
    const { head } = this.cursor;
    return posts.findIndex((entry) => {
      const id = idOf(entry);
      return id !== null && (id === head || seen.has(id));
    });
  }

  /** False when the server no longer knows the position. */
  private async readForward(top: string): Promise<boolean> {
    for (let first = true; ; first = false) {
      if (!this.walk.mayGoOn()) {
        this.headIsTop = false;
        return true;
      }
      const { head } = this.cursor;
      if (head === null) return false;
      const page = await this.page({ newer_than: head });
      if (page.newer === null || page.newer === head) {
        this.headIsTop = true;
        return !first;
      }
      await this.readUpwards(page.posts, page.newer, page.posts.length);
      if (!this.headIsTop || hasId(page.posts, top)) return true;
      this.headIsTop = false;
    }
  }

  private async openGap(newest: TimelinePage, top: string): Promise<void> {
    const { since, head_at } = this.cursor;
    const known = new Date((head_at === null ? 0 : Date.parse(head_at)) - DEEP_HOURS * HOUR).toISOString();
    const until = since !== null && since > known ? since : known;
    await this.store(newest.posts, (all, last) => {
      const at = all ? newest.older : last;
      return { ...this.cursor, gap: at === null ? this.cursor.gap : { at, top, until } };
    });
  }

  async readGap(): Promise<void> {
    let tail: string[] = [];
    while (this.cursor.gap !== null && this.walk.mayGoOn()) {
      const { gap } = this.cursor;
      const page = await this.page({ older_than: gap.at });
      tail = tailOf(tail, page.posts);
      const closes =
        page.older === null || liesBefore(tail, gap.until) || (await this.firstKnown(page.posts)) !== -1;
      await this.store(page.posts, (all, last) => {
        if (all && closes) {
          return { ...this.cursor, head: gap.top, head_at: this.walk.now().toISOString(), gap: null };
        }
        return { ...this.cursor, gap: { ...gap, at: (all ? page.older : last) ?? gap.at } };
      });
    }
  }

  /**
   * The next run continues an unfinished walk.
   *
   * @param maxPages pages
   */
  async readOverlap(start: OverlapStart, maxPages = Infinity): Promise<void> {
    this.lookedBack = true;
    const goesOn = this.cursor.overlap !== null;
    let tail = goesOn ? [] : tailOf([], start.above);
    if (!goesOn) {
      const begun = this.beginOverlap(start.at);
      if (begun === null || (!begun.deep && liesBefore(tail, begun.until))) return;
      this.cursor = { ...this.cursor, overlap: begun };
    }
    const { since } = this.cursor;
    for (let pages = 0; this.cursor.overlap !== null; pages++) {
      const { overlap } = this.cursor;
      const until = since !== null && since > overlap.until ? since : overlap.until;
      if (liesBefore(tail, until)) {
        await this.store([], () => this.overlapDone());
        return;
      }
      if (pages >= maxPages || !this.walk.mayGoOn()) return;
      const page = await this.page({ older_than: overlap.at });
      tail = tailOf(tail, page.posts);
      await this.store(page.posts, (all, last) => {
        if (all && page.older === null) return this.overlapDone();
        return { ...this.cursor, overlap: { ...overlap, at: (all ? page.older : last) ?? overlap.at } };
      });
    }
  }

  private beginOverlap(at: string | null): StreamCursor["overlap"] {
    if (at === null || this.walk.overlap_hours === 0) return null;
    const now = this.walk.now().getTime();
    const { deep_at } = this.cursor;
    const deep = deep_at === null || now - Date.parse(deep_at) >= DAY;
    const hours = deep ? Math.max(DEEP_HOURS, this.walk.overlap_hours) : this.walk.overlap_hours;
    return { at, until: new Date(now - hours * HOUR).toISOString(), deep };
  }

  private overlapDone(): StreamCursor {
    const deep = this.cursor.overlap?.deep === true;
    return {
      ...this.cursor,
      overlap: null,
      deep_at: deep ? this.walk.now().toISOString() : this.cursor.deep_at,
    };
  }

  /** Counts consecutive runs that did not read back. */
  async noteLooksBack(): Promise<void> {
    const wanted = this.cursor.backfill !== null || this.walk.overlap_hours > 0;
    const starved = this.lookedBack || !wanted ? 0 : Math.min(this.cursor.starved + 1, STARVED_RUNS);
    if (starved !== this.cursor.starved) await this.store([], () => ({ ...this.cursor, starved }));
  }

  private page(cursor: PageCursor): Promise<TimelinePage> {
    return this.walk.source.fetchPage(cursor);
  }

  /** `next` gets whether all were taken, and the id of the last one. */
  private async store(
    entries: readonly NormaliseResult[],
    next: (all: boolean, last: string | null) => StreamCursor,
  ): Promise<void> {
    const { cursor } = await this.walk.store(entries, (taken) =>
      next(taken === entries.length, lastId(entries.slice(0, taken))),
    );
    this.cursor = cursor;
  }
}
