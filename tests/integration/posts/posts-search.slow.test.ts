import { beforeAll, describe, expect, it } from "vitest";
import { GET as getPosts } from "#app/api/v1/posts/route.ts";
import { db } from "#lib/base/db.ts";
import { PostQuery } from "#lib/review/filter-schema.ts";
import { listStatement } from "#lib/review/list-posts.ts";
import { type PostList } from "#lib/review/post-schema.ts";
import { findPosts, stillMatching, type SearchMode } from "#lib/review/search-posts.ts";
import { fillPosts, type LargeTable } from "#tests/integration/database/large-table.ts";
import { makeKey } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";
import { addTies, predicates, readAllPosts, searchByScan } from "./reference-search.ts";

/** A word of more than 10 000 posts is frequent. */
const ROWS = 12_000;
const LIMIT = 40;
let table: LargeTable;
let key: string;

beforeAll(async () => {
  table = await fillPosts(ROWS);
  await addTies();
  key = await makeKey();
}, 120_000);

const withStreams = (text: string) =>
  text.replace("RARE", String(table.streamIds[1])).replace("BIG", String(table.streamIds[0]));

const queryOf = (text: string) =>
  PostQuery.parse({ limit: String(LIMIT), ...Object.fromEntries(new URLSearchParams(withStreams(text))) });

async function page(text: string, mode: SearchMode) {
  const rows = await db.$queryRaw<{ id: number | null; total: number; incomplete: boolean }[]>(
    listStatement(queryOf(text), mode),
  );
  const { total = -1, incomplete = true } = rows[0] ?? {};
  return { ids: rows.flatMap((row) => row.id ?? []), total, incomplete };
}

const list = (query: string) =>
  call<PostList>(getPosts, { path: `/api/v1/posts?limit=${LIMIT}&${withStreams(query)}`, key });

describe("a search", () => {
  const names = Object.keys(predicates);

  it.each(names)("finds the same posts in both modes and in every order: %s", async (filter) => {
    const posts = await readAllPosts(table);
    for (const order of ["newest", "oldest", "ai_unsure", "author"]) {
      for (const q of ["otter", "word17", "otter nothing"]) {
        const text = `q=${q}&order=${order}&${filter}`;
        const expected = searchByScan(posts, queryOf(text), predicates[filter]);
        for (const mode of ["rare", "frequent"] as const)
          expect(await page(text, mode), `${mode} ${text}`).toEqual({
            ids: expected.slice(0, LIMIT),
            total: expected.length,
            incomplete: false,
          });
      }
    }
  });

  it.each(names)("finds the same posts for a batch, and finds them again by id: %s", async (filter) => {
    const posts = await readAllPosts(table);
    for (const q of ["otter", "word17"]) {
      const query = queryOf(`q=${q}&${filter}`);
      const { skip: _skip, limit: _limit, order: _order, ...filters } = query;
      const expected = searchByScan(posts, query, predicates[filter]);
      const found = await findPosts(filters, 1000);
      expect(found).toEqual({ ids: expected.slice(0, 1000), incomplete: false });
      const checked = [...found.ids, ...posts.slice(0, 500).map((post) => post.id)];
      const matching = new Set(expected);
      expect(await stillMatching(db, filters, checked)).toEqual(
        new Set(checked.filter((id) => matching.has(id))),
      );
    }
  });
});

describe("GET /posts?q=", () => {
  it("pages to the end of a frequent word and counts exactly below 20 000 posts", async () => {
    const { json, headers } = await list("q=otter");
    expect(json).toMatchObject({ total: ROWS });
    expect(json.items).toHaveLength(LIMIT);
    expect(json).not.toHaveProperty("total_is_more");
    expect(json).not.toHaveProperty("incomplete_results");
    expect(headers.get("link")).toContain(`skip=${LIMIT}`);
    const last = await list(`q=otter&skip=${ROWS - LIMIT / 2}`);
    expect(last.json.items).toHaveLength(LIMIT / 2);
    expect(last.headers.get("link")).not.toContain("next");
    const behind = await list(`q=otter&skip=${ROWS + 10}`);
    expect(behind.json).toMatchObject({ items: [], total: ROWS });
  });
});
