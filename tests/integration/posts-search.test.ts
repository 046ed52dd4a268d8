import { beforeAll, describe, expect, it } from "vitest";
import { GET as getDeck } from "#app/api/v1/review/deck/route.ts";
import { GET as getPosts } from "#app/api/v1/posts/route.ts";
import { searchOn } from "#lib/client/search-on.ts";
import { db } from "#lib/db.ts";
import { PostQuery, type PostList } from "#lib/posts/schema.ts";
import { isFrequent } from "#lib/posts/search-shares.ts";
import { WINDOW } from "#lib/posts/search-sql.ts";
import { listStatement } from "#lib/posts/sql.ts";
import { matchingIds } from "#lib/review/batch-sql.ts";
import type { Deck } from "#lib/review/deck-schema.ts";
import { makeKey } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";
import { makeMany, type Many } from "./posts-many.ts";

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

async function page(text: string, search: "rare" | "frequent" | "further") {
  const rows = await db.$queryRaw<{ id: number | null; total: number; total_is_more: boolean }[]>(
    listStatement(queryOf(text), search),
  );
  const { total = -1, total_is_more = false } = rows[0] ?? {};
  return { ids: rows.flatMap((row) => row.id ?? []), total, total_is_more };
}

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

describe("both ways of looking for words", () => {
  const filters = [
    "",
    "stream_id=BIG",
    "stream_id=RARE",
    "reviewed=false",
    "approved=false",
    "language=ja",
    "has_media=true",
    "language=de&approved=true",
    "queue_status=delivered",
    "queue_status=error",
    "seen_in=RARE",
    "instance=host7.example",
    "author=user7@host7.example",
    `until=${new Date(Date.now() - 7_200_000).toISOString()}`,
  ];
  const orders = ["newest", "oldest", "ai_unsure", "author"];

  it.each(filters)("find the same posts: %s", async (filter) => {
    for (const order of orders) {
      for (const q of ["otter", "word17", "otter nothing"]) {
        const text = `q=${q}&order=${order}&${filter}`;
        const [all, first, walked] = await Promise.all([
          page(text, "rare"),
          page(text, "frequent"),
          page(text, "further"),
        ]);
        expect(all.total_is_more).toBe(false);
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

  it("find the same posts for a batch", async () => {
    const text = "q=otter&language=ja";
    const ids = await db.$transaction((tx) => matchingIds(tx, queryOf(text), 10));
    expect(ids).toEqual((await page(text, "rare")).ids.slice(0, 10));
  });
});

describe("a search that stops", () => {
  /** Pages of `rows` posts, each going on where the one before it stopped, at most `reach` posts further. */
  async function follow(text: string, rows: number, reach: number) {
    let query = { ...queryOf(text), limit: rows };
    const ids: number[] = [];
    let stops = 0;
    for (let i = 0; i < 200; i++) {
      const answer = await db.$queryRaw<
        { id: number | null; total: number; total_is_more: boolean; searched_until: Date | null }[]
      >(listStatement(query, "further", reach));
      ids.push(...answer.flatMap((row) => row.id ?? []));
      const { total = 0, total_is_more: isMore = false, searched_until: stop = null } = answer[0] ?? {};
      if (stop === null && !isMore) return { ids, stops };
      if (stop === null) query = { ...query, skip: query.skip + rows };
      else {
        stops += 1;
        const onward = searchOn({ searched_until: stop.toISOString(), skip: query.skip, total }, query.order);
        const { since, until } = onward ?? {};
        query = {
          ...query,
          skip: Number(onward?.skip),
          ...(since === undefined ? {} : { since: new Date(since) }),
          ...(until === undefined ? {} : { until: new Date(until) }),
        };
      }
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
    for (const order of ["newest", "oldest"]) {
      const asked = `${text}&order=${order}`;
      const all = await db.$queryRaw<{ id: number | null }[]>(
        listStatement({ ...queryOf(asked), limit: 1000 }, "rare"),
      );
      for (const [rows, reach] of [
        [2, 700],
        [40, 1500],
      ] as const) {
        const { ids, stops } = await follow(asked, rows, reach);
        expect(ids, asked).toEqual(all.flatMap((row) => row.id ?? []));
        if (text === "q=nothing") expect(stops).toBe(Math.ceil(ROWS / reach) - 1);
      }
    }
  });

  it("loses none of many posts of the same moment, and doubles none", async () => {
    const restore = await db.$queryRaw<{ id: number; created_at: Date }[]>`SELECT id, created_at FROM post`;
    expect(restore).toHaveLength(ROWS);
    await db.$executeRaw`UPDATE post SET created_at = date_trunc('hour', created_at) + (id % 4) * interval '1 minute'`;
    const asked = "q=word17&order=newest";
    const all = await page(asked, "rare");
    expect((await follow(asked, 2, 1_000)).ids).toEqual(all.ids);
    const many = await page("q=weir&instance=host7.example", "rare");
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
    const rare = await list("q=word17");
    expect(rare.json.total).toBe(3);
    expect(rare.json).not.toHaveProperty("total_is_more");
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
    (await page("q=otter&reviewed=false", "rare")).ids.slice(0, 5),
  );
  const rare = await page("q=word50&reviewed=false", "rare");
  expect(rare.total).toBeGreaterThan(0);
  await call(getDeck, { path: "/api/v1/review/deck?count=1&q=nothing", key });
  const few = await deck("q=word50");
  expect(few.json.items.map((card) => card.id)).toEqual(rare.ids);
  expect(few.json).toMatchObject({ remaining: rare.total, remaining_is_more: false });
});
