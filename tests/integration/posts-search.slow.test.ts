import { beforeAll, describe, expect, it } from "vitest";
import { GET as getDeck } from "#app/api/v1/review/deck/route.ts";
import { GET as getPosts } from "#app/api/v1/posts/route.ts";
import { searchOn } from "#lib/client/search-on.ts";
import { db } from "#lib/db.ts";
import { PostQuery, type PostFilters, type PostList } from "#lib/posts/schema.ts";
import { readPlace } from "#lib/posts/search-after.ts";
import { leadsOf } from "#lib/posts/search-leads.ts";
import { isFrequent } from "#lib/posts/search-shares.ts";
import { WINDOW, type PostSearch } from "#lib/posts/search-sql.ts";
import { listStatement, readPage } from "#lib/posts/sql.ts";
import { findMatching } from "#lib/review/batch-sql.ts";
import type { Deck } from "#lib/review/deck-schema.ts";
import { makeKey } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";
import { makeMany, type Many } from "./posts-many.ts";
import { makeUneven, readSlowly, slowFilters, slowly } from "./posts-slowly.ts";

/*
 * Words are looked for in two ways, by how many posts have them. Both must find the same posts in the same order; a
 * frequent word's count may stop, and says so.
 */

/** Enough that a word which all have is a frequent one. */
const ROWS = 12_000;
const LIMIT = 40;
let many: Many;
let key: string;

beforeAll(async () => {
  many = await makeMany(ROWS);
  await makeUneven();
  key = await makeKey();
}, 120_000);

const queryOf = (text: string) =>
  PostQuery.parse({
    limit: String(LIMIT),
    ...Object.fromEntries(
      new URLSearchParams(
        text.replace("RARE", String(many.streamIds[1])).replace("BIG", String(many.streamIds[0])),
      ),
    ),
  });

async function page(text: string, search: PostSearch) {
  const rows = await db.$queryRaw<{ id: number | null; total: number; total_is_more: boolean }[]>(
    listStatement(queryOf(text), search),
  );
  const { total = -1, total_is_more = false } = rows[0] ?? {};
  return { ids: rows.flatMap((row) => row.id ?? []), total, total_is_more };
}

const rare: PostSearch = { in: "rare" };
const toTheEnd: PostSearch = { in: "further", reach: 10 * ROWS, stopsAt: "time" };

const list = (query: string) =>
  call<PostList>(getPosts, { path: `/api/v1/posts?limit=${LIMIT}&${query}`, key });

it("knows words that most posts have from those that few have", async () => {
  expect(await isFrequent({ q: "otter" })).toBe(true);
  expect(await isFrequent({ q: "Otter weir" })).toBe(true);
  expect(await isFrequent({ q: "otter rare" })).toBe(false);
  expect(await isFrequent({ q: "word17" })).toBe(false);
  expect(await isFrequent({ author: "otter" })).toBe(true);
  expect(await isFrequent({ author: "otter@host1.example" })).toBe(false);
  expect(await isFrequent({ language: "ja" })).toBe(false);
});

const orders = ["newest", "oldest", "ai_unsure", "author"] as const;

describe("all ways of looking for words", () => {
  const names = Object.keys(slowFilters);

  it.each(names)("find the same posts: %s", async (filter) => {
    const posts = await readSlowly(many);
    for (const order of orders) {
      for (const q of ["otter", "word17", "otter nothing"]) {
        const text = `q=${q}&order=${order}&${filter}`;
        const [all, first, walked] = await Promise.all([
          page(text, rare),
          page(text, { in: "window" }),
          page(text, toTheEnd),
        ]);
        for (const ids of leadsOf(queryOf(text)))
          expect(await page(text, { in: "within", lead: { ids, posts: 0 } }), text).toEqual(all);
        expect(all.total_is_more).toBe(false);
        const slow = slowly(posts, queryOf(text), slowFilters[filter]);
        expect([all.ids, all.total], text).toEqual([slow.slice(0, LIMIT), slow.length]);
        // Walked to the end of the page and one further.
        expect(walked.ids, text).toEqual(all.ids);
        expect(walked.total, text).toBe(Math.min(all.total, LIMIT));
        expect(walked.total_is_more, text).toBe(all.total > LIMIT);
        // Within the window everything is known; behind it may be more.
        expect(first.ids, text).toEqual(all.ids.slice(0, first.ids.length));
        expect(first.total, text).toBeLessThanOrEqual(all.total);
        if (!first.total_is_more) expect(first).toEqual(all);
      }
    }
  });

  it.each(names)("find the same posts for a batch, in one step or in many: %s", async (filter) => {
    for (const q of ["otter", "word17"]) {
      const query = queryOf(`q=${q}&limit=1000&${filter}`);
      const rows = await db.$queryRaw<{ id: number | null }[]>(listStatement(query));
      const all = rows.flatMap((row) => row.id ?? []);
      const { skip: _skip, limit: _limit, order: _order, ...asked } = query;
      expect(await findMatching(asked, 1000)).toEqual({ ids: all, searched_until: null });
      if (q === "otter")
        for (const reach of [500, 1_700])
          expect(await findMatching(asked, 1000, { reach }), filter).toEqual({
            ids: all,
            searched_until: null,
          });
    }
  });

  it("a batch that may look through so many posts says how far it came", async () => {
    const { ids, searched_until } = await findMatching({ q: "otter nothing*" }, 10, { reach: 500, steps: 3 });
    expect([ids, searched_until]).toEqual([[], null]);
    const asked = { q: "otter", reviewed_by: "Member 8" };
    const some = await findMatching(asked, 1000, { reach: 500, steps: 3 });
    const seen = await db.post.findMany({ orderBy: [{ created_at: "desc" }, { id: "desc" }], take: 1500 });
    expect(some.searched_until).toEqual(seen[1499]?.created_at);
    const all = await findMatching(asked, 1000);
    expect(some.ids.length).toBeGreaterThan(0);
    expect(some.ids).toEqual(all.ids.filter((id) => seen.some((post) => post.id === id)));
    const onward = await findMatching({ ...asked, until: some.searched_until ?? undefined }, 1000);
    expect([...new Set([...some.ids, ...onward.ids])]).toEqual(all.ids);
  });
});

describe("a search that stops", () => {
  /** Pages of `rows` posts, each going on where the one before it stopped, at most `reach` posts further. */
  async function follow(text: string, rows: number, reach: number, stopsAt: "time" | "post" = "time") {
    let query: PostQuery & PostFilters = { ...queryOf(text), limit: rows };
    const ids: number[] = [];
    let stops = 0;
    for (let i = 0; i < 400; i++) {
      const answer = await readPage(listStatement(query, { in: "further", reach, stopsAt }));
      ids.push(...answer.rows.map((row) => row.id));
      const { total, total_is_more, searched_until, search_after } = answer;
      const stop = {
        ...(searched_until === null ? {} : { searched_until: searched_until.toISOString() }),
        ...(search_after === null ? {} : { search_after }),
      };
      const onward = searchOn({ ...stop, skip: query.skip, total }, query.order);
      if (onward === null) {
        if (!total_is_more) return { ids, stops };
        query = { ...query, skip: query.skip + rows };
        continue;
      }
      stops += 1;
      const { since, until, search_after: place, skip } = onward;
      query = {
        ...query,
        skip: Number(skip),
        ...(since === undefined ? {} : { since: new Date(since) }),
        ...(until === undefined ? {} : { until: new Date(until) }),
        ...(place === undefined ? {} : { after: readPlace(place, query.order) ?? undefined }),
      };
    }
    throw new Error("no end");
  }
  const texts = [
    "q=word17",
    "q=otter&instance=host7.example",
    "q=word17&language=ja",
    "q=otter word17&queue_status=delivered",
    "q=word5&stream_id=BIG&happened=reviewed",
    "q=word17&happened=delivered&since=2020-01-01",
    "q=nothing",
  ];

  it.each(texts)("is taken up where it stopped, and meets every post once, in order: %s", async (text) => {
    for (const order of orders) {
      const asked = `${text}&order=${order}`;
      const all = await db.$queryRaw<{ id: number | null }[]>(
        listStatement({ ...queryOf(asked), limit: 1000 }, rare),
      );
      for (const [rows, reach] of [
        [2, 700],
        [40, 1500],
      ] as const) {
        const { ids, stops } = await follow(asked, rows, reach);
        expect(ids, asked).toEqual(all.flatMap((row) => row.id ?? []));
        if (text === "q=nothing") expect(stops).toBeGreaterThanOrEqual(Math.ceil(ROWS / reach) - 1);
        const byPlace = await follow(asked, rows, reach, "post");
        expect(byPlace.ids, asked).toEqual(ids);
        if (text === "q=nothing") expect(byPlace.stops).toBe(Math.ceil(ROWS / reach) - 1);
      }
    }
  });

  it("loses none of many posts of the same moment, and doubles none", async () => {
    const restore = await db.$queryRaw<{ id: number; created_at: Date }[]>`SELECT id, created_at FROM post`;
    expect(restore).toHaveLength(ROWS);
    await db.$executeRaw`UPDATE post SET created_at = date_trunc('hour', created_at) + (id % 4) * interval '1 minute'`;
    const asked = "q=word17&order=newest";
    const all = await page(asked, rare);
    expect((await follow(asked, 2, 1_000)).ids).toEqual(all.ids);
    const many = await page("q=weir&instance=host7.example", rare);
    expect((await follow("q=weir&instance=host7.example", 30, 1_000)).ids.slice(0, LIMIT)).toEqual(many.ids);
    await db.$executeRaw`
      UPDATE post p SET created_at = r.at FROM unnest(${restore.map((row) => row.id)}::int[],
        ${restore.map((row) => row.created_at)}::timestamptz[]) r (id, at) WHERE p.id = r.id`;
  });
});

describe("GET /posts?q=", () => {
  it("counts a frequent word up to a bound, and says that there is more", async () => {
    const { json, headers } = await list("q=otter");
    expect(json).toMatchObject({ total: WINDOW, total_is_more: true });
    expect(json.items).toHaveLength(LIMIT);
    expect(headers.get("link")).toContain(`skip=${LIMIT}`);
  });

  it("reaches the end of it, and knows then how many there are", async () => {
    const skip = ROWS - LIMIT / 2;
    const { json, headers } = await list(`q=otter&skip=${skip}`);
    expect(json.items).toHaveLength(LIMIT / 2);
    expect(json.total).toBe(ROWS);
    expect(json).not.toHaveProperty("total_is_more");
    expect(headers.get("link")).not.toContain("next");
    const behind = await list(`q=otter&skip=${ROWS + 10}`);
    expect(behind.json).toMatchObject({ items: [], total: ROWS });
  });

  it("goes on beyond the bound", async () => {
    const { json, headers } = await list(`q=otter&skip=${WINDOW + 10}`);
    expect(json.items).toHaveLength(LIMIT);
    expect(json).toMatchObject({ total: WINDOW + 10 + LIMIT, total_is_more: true });
    expect(headers.get("link")).toContain(`skip=${WINDOW + 10 + LIMIT}`);
    expect(headers.get("link")).toContain(`skip=${WINDOW + 10 - LIMIT}`);
  });

  it("counts exactly where other filters leave few, and where the word is rare", async () => {
    expect((await list("q=otter&stream_id=RARE".replace("RARE", String(many.streamIds[1])))).json).toEqual(
      expect.objectContaining({ total: ROWS / 1000 }),
    );
    const few = await list("q=word17");
    expect(few.json.total).toBe(3);
    expect(few.json).not.toHaveProperty("total_is_more");
  });
});

it("the deck deals and counts posts with a frequent word, and with a rare one", async () => {
  const deck = (query: string) =>
    call<Deck>(getDeck, { path: `/api/v1/review/deck?count=5&order=newest&${query}`, key });
  const open = await db.post.count({ where: { approved: null } });
  expect(open).toBeLessThan(WINDOW);
  const { json } = await deck("q=otter");
  expect(json).toMatchObject({ remaining: open, remaining_is_more: false });
  expect(json.items.map((card) => card.id)).toEqual(
    (await page("q=otter&reviewed=false", rare)).ids.slice(0, 5),
  );
  const found = await page("q=word50&reviewed=false", rare);
  expect(found.total).toBeGreaterThan(0);
  await call(getDeck, { path: "/api/v1/review/deck?count=1&q=nothing", key });
  const few = await deck("q=word50");
  expect(few.json.items.map((card) => card.id)).toEqual(found.ids);
  expect(few.json).toMatchObject({ remaining: found.total, remaining_is_more: false });
});
