import { beforeAll, describe, expect, it } from "vitest";
import { db } from "#lib/db.ts";
import { leadsOf } from "#lib/posts/search-leads.ts";
import type { DeckSearch } from "#lib/review/deck-search-sql.ts";
import { claimStatement } from "#lib/review/deck-sql.ts";
import { PostQuery, type PostFilters } from "#lib/posts/schema.ts";
import { makeMany, type Many } from "./posts-many.ts";
import { makeUneven, readSlowly, slowFilters, slowly } from "./posts-slowly.ts";

/*
 * Search in the deck for frequent words with few matches: the deck returns the matches in order, stops at its limit, and
 * continues from there.
 */

const ROWS = 6_000;
const REACH = 700;
let many: Many;

beforeAll(async () => {
  many = await makeMany(ROWS, true);
  await makeUneven();
}, 120_000);

const queryOf = (text: string) =>
  PostQuery.parse(
    Object.fromEntries(
      new URLSearchParams(
        text.replace("RARE", String(many.streamIds[1])).replace("BIG", String(many.streamIds[0])),
      ),
    ),
  );

interface Row {
  wanted: number[];
  leased: number[];
  stop_at: Date | null;
  stop_id: number;
  stop_key: string | null;
}

/** Decides about cards until none is left, continuing where the search stopped. */
async function dealAll(text: string, count: number, searchOf: (filters: PostFilters) => DeckSearch) {
  const { skip: _skip, limit: _limit, order, ...filters } = queryOf(text);
  const dealt: number[] = [];
  let after: PostFilters["after"];
  let stops = 0;
  try {
    for (let i = 0; i < 400; i++) {
      const [row] = await db.$queryRaw<Row[]>(
        claimStatement("k1", { ...filters, after }, order, count, searchOf(filters)),
      );
      const { wanted = [], leased = [], stop_at: moment, stop_id: id, stop_key: key } = row as Row;
      expect([...leased].sort()).toEqual([...wanted].sort());
      dealt.push(...wanted);
      await db.$executeRaw`DELETE FROM review_lease WHERE holder = 'k1'`;
      await db.$executeRaw`UPDATE post SET approved = false, reviewed_at = now() WHERE id = ANY (${wanted}::int[])`;
      if (moment) {
        expect(wanted.length).toBeLessThan(count);
        after = { order, moment, id, key };
        stops += 1;
      } else if (wanted.length < count) return { dealt, stops };
    }
    throw new Error("no end");
  } finally {
    await db.$executeRaw`UPDATE post SET approved = NULL, reviewed_at = NULL WHERE approved IS NOT NULL`;
  }
}

describe("the deck", () => {
  const names = [
    "",
    "stream_id=BIG",
    "seen_in=RARE",
    "language=ja",
    "has_media=true",
    "instance=host7.example",
    "author=busy@host0.example&has_media=false",
  ];

  it.each(names)("returns every match once, in order, across stops: %s", async (filter) => {
    const posts = await readSlowly(many);
    for (const order of ["oldest", "newest", "ai_unsure", "author"] as const) {
      for (const q of ["word17", "nothing"]) {
        const text = `q=${q}&order=${order}&${filter}`;
        const slow = slowly(posts, queryOf(text), slowFilters[filter]);
        const { dealt, stops } = await dealAll(text, 2, () => ({ in: "walk", reach: REACH }));
        expect(dealt, text).toEqual(slow);
        if (filter === "" && q === "nothing") expect(stops).toBe(Math.ceil(ROWS / REACH) - 1);
        for (const ids of leadsOf({ ...queryOf(text), reviewed: false }))
          expect(await dealAll(text, 2, () => ({ in: "within", lead: { ids, posts: 0 } })), text).toEqual({
            dealt: slow,
            stops: 0,
          });
      }
    }
  });

  it("orders by creation with another time filter", async () => {
    const { dealt } = await dealAll("q=word17&order=oldest&happened=fetched&since=2020-01-01", 2, () => ({
      in: "walk",
      reach: REACH,
    }));
    expect(dealt).toEqual(slowly(await readSlowly(many), queryOf("q=word17&order=oldest"), () => true));
  });
});
