import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NormaliseResult } from "#lib/fediverse/normalise-status.ts";
import type { TimelinePage } from "#lib/fediverse/hashtag-source.ts";
import { parseCursor, walkTimeline, type StreamCursor } from "./walk-timeline.ts";

const MINUTE = 60_000;
const START = Date.UTC(2026, 4, 1);

interface Entry {
  uri: string;
  id: string;
  /** Position in the server's order; ids are opaque. */
  place: number;
  created: number;
}

/** A server's timeline and a stream, in memory. */
class World {
  readonly pageSize: number;
  /** Whether the last page has no next link; otherwise an empty page is the end. */
  tellsEnd = false;
  entries: Entry[] = [];
  readonly stored = new Map<string, { remote_id: string }>();
  cursor: StreamCursor = parseCursor({});
  time = START;
  pages = 0;
  asked: (string | null)[] = [];
  private count = 0;

  constructor(pageSize = 5) {
    this.pageSize = pageSize;
  }

  /** Adds a post at the position of `created`. */
  arrive(created = this.time): Entry {
    const n = ++this.count;
    const entry = {
      uri: `u${n}`,
      id: `id-${(n * 7919) % 10007}-${n}`,
      place: (created - START) * 1000 + n,
      created,
    };
    this.entries.push(entry);
    this.entries.sort((a, b) => b.place - a.place);
    return entry;
  }

  page(cursor: string | null): TimelinePage {
    this.pages++;
    this.asked.push(cursor);
    for (const entry of this.entries) this.places.set(entry.id, entry.place);
    const below = cursor === null ? Infinity : (this.places.get(cursor) ?? -Infinity);
    return this.pageOf(this.entries.filter((entry) => entry.place < below).slice(0, this.pageSize));
  }
  private readonly places = new Map<string, number>();

  private pageOf(found: Entry[]): TimelinePage {
    return {
      posts: found.map(asResult),
      older: this.tellsEnd && found.at(-1) === this.entries.at(-1) ? null : (found.at(-1)?.id ?? null),
      newer: found[0]?.id ?? null,
    };
  }

  /** `dieAt`: the page at which the process is killed and its transaction rolled back. */
  async run(options: { limit?: number; pages?: number; dieAt?: number } = {}) {
    const { limit = Infinity, pages = Infinity, dieAt = Infinity } = options;
    let fresh = 0;
    this.pages = 0;
    this.asked = [];
    const end = walkTimeline({
      source: (olderThan) => Promise.resolve(this.page(olderThan)),
      cursor: this.cursor,
      backfill_days: 1,
      now: () => new Date(this.time),
      mayGoOn: () => fresh < limit && this.pages < pages,
      store: (entries, next) => {
        if (this.pages >= dieAt) return Promise.reject(new Error("killed"));
        let taken = entries.length;
        for (const [index, entry] of entries.entries()) {
          if (!entry.ok) continue;
          const { uri, remote_id } = entry.post;
          if (this.stored.has(uri)) continue;
          if (fresh >= limit) {
            taken = index;
            break;
          }
          fresh++;
          this.stored.set(uri, { remote_id });
        }
        this.cursor = parseCursor(JSON.parse(JSON.stringify(next(taken))));
        return Promise.resolve();
      },
    });
    const result = await end.catch((error: unknown) => {
      if (dieAt === Infinity) throw error;
      return { cursor_at_end: false };
    });
    return { ...result, fresh };
  }

  async settle() {
    for (let n = 0; n < 200; n++) {
      const { cursor_at_end } = await this.run();
      if (cursor_at_end && this.cursor.past === null) return;
    }
    throw new Error("never came to an end");
  }

  missing(): string[] {
    return this.entries.filter((entry) => !this.stored.has(entry.uri)).map((entry) => entry.uri);
  }
}

function asResult(entry: Entry): NormaliseResult {
  const post = { uri: entry.uri, remote_id: entry.id, created_at: new Date(entry.created).toISOString() };
  return { ok: true, post: post as Extract<NormaliseResult, { ok: true }>["post"] };
}

describe("a walk over a timeline", () => {
  test("the first fetch reads the newest page and back to BACKFILL_DAYS", async () => {
    const world = new World();
    const old = Array.from({ length: 10 }, (_, n) => world.arrive(START - (30 + n) * 60 * MINUTE));
    const young = Array.from({ length: 23 }, (_, n) => world.arrive(START - n * 60 * MINUTE));
    expect(await world.run()).toMatchObject({ cursor_at_end: true });
    for (const entry of young) expect(world.stored.has(entry.uri)).toBe(true);
    // The page in which the limit lies is stored whole.
    expect(old.filter((entry) => world.stored.has(entry.uri)).length).toBeLessThanOrEqual(7);
  });

  test("an empty timeline is at its end until its first post", async () => {
    const world = new World();
    expect(await world.run()).toEqual({ cursor_at_end: true, fresh: 0 });
    world.arrive();
    expect(await world.run()).toEqual({ cursor_at_end: true, fresh: 1 });
  });

  test("one request is enough when the first page reaches past BACKFILL_DAYS", async () => {
    const world = new World();
    for (let n = 0; n < 20; n++) world.arrive(START - (25 + n) * 60 * MINUTE);
    expect(await world.run()).toEqual({ cursor_at_end: true, fresh: 5 });
    expect(world.asked).toEqual([null]);
  });

  test("neither a gap nor the daily walk reads beyond the depth of the first fetch", async () => {
    const world = new World();
    const old = Array.from({ length: 60 }, (_, n) => world.arrive(START - (30 + n) * 60 * MINUTE));
    for (let n = 0; n < 12; n++) world.arrive(START - n * 60 * MINUTE);
    await world.run();
    const brought = () => old.filter((entry) => world.stored.has(entry.uri)).length;
    const first = brought();
    // A partly read page is stored whole, and one more may be needed to find the end.
    const most = first + world.pageSize;
    world.time = START + 25 * 60 * MINUTE;
    world.arrive();
    await world.settle();
    expect(brought()).toBeLessThanOrEqual(most);
    // All known posts are deleted, so only the time can end the gap.
    world.entries = world.entries.filter((entry) => old.includes(entry) && !world.stored.has(entry.uri));
    world.time += 60 * MINUTE;
    for (let n = 0; n < 12; n++) world.arrive(world.time + n);
    await world.settle();
    expect(world.missing().length).toBeGreaterThanOrEqual(old.length - most - 2 * world.pageSize);
  });

  test("the last page of a walk cut by the limit is read to its end", async () => {
    const world = new World();
    world.tellsEnd = true;
    for (let n = 0; n < 6; n++) world.arrive(START - n * 60 * MINUTE);
    await world.run();
    world.time += 20 * 60 * MINUTE;
    world.arrive();
    await world.settle();
    world.time += 5 * 60 * MINUTE;
    const late = [6.2, 6.4].map((hours) => world.arrive(START - hours * 60 * MINUTE));
    await world.run({ limit: 1 });
    await world.run({ limit: 1 });
    expect(late.filter((entry) => !world.stored.has(entry.uri))).toEqual([]);
  });

  test("a quiet stream costs one request", async () => {
    const world = new World();
    for (let n = 0; n < 12; n++) world.arrive(START - n * 5 * 60 * MINUTE);
    await world.run();
    world.time += 60 * MINUTE;
    world.arrive();
    expect(await world.run()).toEqual({ cursor_at_end: true, fresh: 1 });
    expect(world.asked).toEqual([null, expect.any(String)]);
  });

  test("a single old post does not end the walk", async () => {
    const world = new World();
    for (let n = 0; n < 20; n++) {
      const entry = world.arrive(START - n * 10 * MINUTE);
      // Inserted late by the server, at the place of a newer post.
      if (n === 8) entry.created -= 30 * 24 * 60 * MINUTE;
    }
    await world.settle();
    expect(world.missing()).toEqual([]);
  });

  test("late posts below the cursor are found at once within hours, by the daily walk within days", async () => {
    const world = new World();
    world.time = START - 3 * 24 * 60 * MINUTE;
    for (let n = 0; n < 4; n++) world.arrive();
    await world.run();
    for (let n = 0; n < 70; n++) {
      world.time += 60 * MINUTE;
      world.arrive();
    }
    await world.settle();
    const late = world.arrive(world.time - 5 * 60 * MINUTE);
    await world.run();
    expect(world.stored.has(late.uri)).toBe(true);
    const later = world.arrive(world.time - 40 * 60 * MINUTE);
    await world.run();
    const soon = world.stored.has(later.uri);
    world.time += 25 * 60 * MINUTE;
    world.arrive();
    await world.run();
    expect([soon, world.stored.has(later.uri)]).toEqual([false, true]);
  });

  test("a reset server, whose ids are new, is read completely", async () => {
    const world = new World();
    for (let n = 0; n < 8; n++) world.arrive(START - n * MINUTE);
    await world.run();
    world.entries = [];
    world.time += 60 * MINUTE;
    for (let n = 0; n < 12; n++) world.arrive(world.time - n * MINUTE);
    await world.settle();
    expect(world.missing()).toEqual([]);
  });

  const upTo = (max: number) => fc.integer({ min: 1, max });

  test("property: with a constant excess of new posts, the backfill and late posts are still read", async () => {
    const flood = fc.record({
      most: upTo(8),
      surplus: upTo(6),
      past: fc.nat(30),
      pageSize: upTo(6),
    });
    await fc.assert(
      fc.asyncProperty(flood, async ({ most, surplus, past, pageSize }) => {
        // One run in four reads back, over ten pages.
        const lookedOver = 10 * pageSize;
        const limit = Math.min(most, Math.floor(lookedOver / 4));
        const world = new World(pageSize);
        const old = Array.from({ length: past + 1 }, (_, n) => world.arrive(START - n * 30 * MINUTE));
        await world.run({ limit });
        const runs = async (count: number) => {
          for (let n = 0; n < count; n++) {
            world.time += MINUTE;
            for (let each = 0; each < limit + surplus; each++) world.arrive(world.time + each);
            expect((await world.run({ limit })).fresh).toBeLessThanOrEqual(limit);
          }
        };
        const unread = (entries: Entry[]) => entries.filter((entry) => !world.stored.has(entry.uri)).length;
        await runs(4 * (Math.ceil(old.length / limit) + 2));
        expect(unread(old)).toBe(0);
        const slipped = world.arrive(START + MINUTE / 2);
        // Enough for the rest of the current walk and one complete walk.
        await runs(4 * (Math.ceil((3 * world.stored.size) / lookedOver) + 2));
        expect(unread([slipped])).toBe(0);
        world.time += MINUTE;
        await world.settle();
        expect(world.missing()).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test("property: every post is read once, despite late and deleted posts, and cut or killed runs", async () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ do: fc.constant("arrive" as const), n: upTo(14) }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant("slip" as const), minutes: upTo(240) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant("delete" as const), at: fc.nat(30) }) },
      {
        weight: 4,
        arbitrary: fc.record({
          do: fc.constant("run" as const),
          limit: upTo(12),
          pages: upTo(6),
          dieAt: fc.option(upTo(5), { nil: undefined }),
        }),
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), upTo(6), async (steps, pageSize) => {
        const world = new World(pageSize);
        world.arrive();
        await world.run();
        for (const each of steps) {
          world.time += MINUTE;
          if (each.do === "arrive") {
            for (let n = 0; n < each.n; n++) world.arrive(world.time + n);
          } else if (each.do === "slip") {
            world.arrive(Math.max(START + 1, world.time - each.minutes * MINUTE));
          } else if (each.do === "delete") {
            world.entries.splice(each.at, 1);
          } else {
            const { fresh } = await world.run(each);
            expect(fresh).toBeLessThanOrEqual(each.limit);
            expect(world.pages).toBeLessThanOrEqual(each.pages);
          }
        }
        world.time += MINUTE;
        await world.settle();
        // The current walk does not turn back; the next one finds late posts.
        await world.settle();
        expect(world.missing()).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});
