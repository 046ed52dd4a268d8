import { beforeAll, describe, expect, it } from "vitest";
import { db } from "#lib/base/db.ts";
import { claim, claimStatement, countRemaining } from "#lib/review/deck-sql.ts";
import { PostQuery } from "#lib/review/filter-schema.ts";
import type { SearchMode } from "#lib/review/search-posts.ts";
import { fillPosts, type LargeTable } from "#tests/integration/database/large-table.ts";
import {
  addTies,
  predicates,
  readAllPosts,
  searchByScan,
} from "#tests/integration/posts/reference-search.ts";

const ROWS = 6_000;
let table: LargeTable;

beforeAll(async () => {
  table = await fillPosts(ROWS, true);
  await addTies();
}, 120_000);

const queryOf = (text: string) =>
  PostQuery.parse(
    Object.fromEntries(
      new URLSearchParams(
        text.replace("RARE", String(table.streamIds[1])).replace("BIG", String(table.streamIds[0])),
      ),
    ),
  );

async function dealAll(text: string, mode: SearchMode): Promise<number[]> {
  const { skip: _skip, limit: _limit, order, ...filters } = queryOf(text);
  const dealt: number[] = [];
  try {
    for (;;) {
      const { wanted, leased } = await claim(claimStatement("k1", filters, order, 2, mode));
      expect([...leased].sort()).toEqual([...wanted].sort());
      if (wanted.length === 0) return dealt;
      dealt.push(...wanted);
      await db.$executeRaw`DELETE FROM review_lease WHERE holder = 'k1'`;
      await db.$executeRaw`UPDATE post SET approved = false, reviewed_at = now() WHERE id = ANY (${wanted}::int[])`;
    }
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

  it.each(names)("deals every post that contains the words once, in order: %s", async (filter) => {
    const posts = await readAllPosts(table);
    for (const order of ["oldest", "newest", "ai_unsure", "author"] as const) {
      for (const q of ["word17", "nothing"]) {
        const text = `q=${q}&order=${order}&${filter}`;
        const expected = searchByScan(posts, queryOf(text), predicates[filter]);
        for (const mode of ["rare", "frequent"] as const) {
          expect(await dealAll(text, mode), `${mode} ${text}`).toEqual(expected);
          expect(await countRemaining("k1", queryOf(text), order, mode)).toEqual({
            remaining: expected.length,
            leased_to_others: 0,
            remaining_is_more: false,
          });
        }
      }
    }
  });

  it("is ordered by creation when the filter names another time", async () => {
    const expected = searchByScan(await readAllPosts(table), queryOf("q=word17&order=oldest"), () => true);
    expect(await dealAll("q=word17&order=oldest&happened=fetched&since=2020-01-01", "frequent")).toEqual(
      expected,
    );
  });
});
