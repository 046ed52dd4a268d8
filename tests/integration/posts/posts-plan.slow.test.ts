import pg from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { GET } from "#app/api/v1/posts/route.ts";
import { db } from "#lib/base/db.ts";
import { MAX_COUNT_BY_TIME } from "#lib/review/count-posts.ts";
import { PostQuery } from "#lib/review/filter-schema.ts";
import { listStatement } from "#lib/review/list-posts.ts";
import { addressedPosts } from "#lib/review/look-up-address.ts";
import { type PostList } from "#lib/review/post-schema.ts";
import { MAX_SEARCHED } from "#lib/review/post-schema.ts";
import { searchMode } from "#lib/review/search-posts.ts";
import { fillPosts, planOf, vacuum, type LargeTable } from "#tests/integration/database/large-table.ts";
import { makeKey } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";

const ROWS = 120_000;
const LIMIT = 50;
let table: LargeTable;
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();

beforeAll(async () => {
  table = await fillPosts(ROWS);
}, 300_000);

function queryOf(query: string) {
  const params = new URLSearchParams(
    query.replace("RARE", String(table.streamIds[1])).replace("BIG", String(table.streamIds[0])),
  );
  params.set("limit", String(LIMIT));
  return PostQuery.parse(Object.fromEntries(params));
}

async function plan(text: string) {
  const query = queryOf(text);
  return planOf(listStatement(query, await searchMode(query)));
}

describe(`GET /posts among ${ROWS}`, () => {
  // A page reads its own rows at most twice; the count comes from the figures.
  it.each([
    "",
    "order=oldest",
    "order=author",
    "reviewed=false",
    "reviewed=true",
    "approved=true",
    "approved=false&order=oldest",
    "stream_id=BIG",
    "stream_id=BIG&reviewed=false",
    "queue_status=pending",
    "queue_status=error&order=oldest",
    "queue_status=delivered",
    "queue_status=pending&stream_id=BIG",
    "has_media=true",
  ])("reads the count from the figures: ?%s", async (query) => {
    const { seqScans, postRows, rows } = await plan(query);
    expect(seqScans).not.toContain("post");
    expect(seqScans).not.toContain("queue_entry");
    expect(postRows).toBeLessThanOrEqual(2 * LIMIT);
    expect(rows).toBeLessThanOrEqual(4 * LIMIT + 50);
  });

  it("keeps one plan of the first page, which is prepared", async () => {
    const { text, values } = listStatement(queryOf(""), null);
    const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
    await client.connect();
    try {
      for (let i = 0; i < 8; i++) await client.query({ name: "first", text, values });
      const { rows } = await client.query("SELECT generic_plans::int AS kept FROM pg_prepared_statements");
      expect(rows).toEqual([{ kept: 3 }]);
    } finally {
      await client.end();
    }
  });

  // Page and count come from the index of the filter.
  it.each([
    ["author=user7@host7.example", 200],
    ["author=user7", 2_000],
    ["ai_result=not_checked", 100],
    ["q=rare", 100],
    ["q=rare&reviewed=false", 100],
    ["q=word17&order=oldest", 300],
    ["seen_in=RARE", 600],
  ])("reads only the few posts that match: ?%s", async (query, most) => {
    const { seqScans, postRows } = await plan(query);
    expect(seqScans).not.toContain("post");
    expect(postRows).toBeLessThanOrEqual(most);
  });

  it.each([
    "q=otter",
    "q=otter weir&order=oldest",
    "q=otter&order=ai_unsure",
    "q=otter&stream_id=RARE",
    "q=otter&reviewed=false",
    "q=otter&language=ja",
    "q=otter&queue_status=delivered&order=oldest",
    "q=otter&happened=reviewed&approved=true",
    "q=otter&until=2020-01-01",
    "q=otter&instance=host7.example",
    "q=otter nothing*",
  ])("reads at most 20 000 posts for a frequent word: ?%s", async (query) => {
    const { seqScans, postRows, blocks } = await planOf(listStatement(queryOf(query), "frequent"));
    expect(seqScans).not.toContain("post");
    expect(postRows).toBeLessThanOrEqual(MAX_SEARCHED + 2 * LIMIT);
    expect(blocks).toBeLessThanOrEqual(5 * MAX_SEARCHED + 6_000);
  });

  describe.each(["newest", "oldest", "ai_unsure", "author"])("a frequent word, order=%s", (order) => {
    it.each([
      "stream_id=RARE",
      "seen_in=RARE",
      "held_by=any",
      "language=xx",
      "vision_category=explicit",
      "author=user7@host7.example",
      "instance=none.example",
      "happened=fetched",
      "happened=errored",
      "reviewer=7",
      "reviewed_by=Member 8",
      "auto_rejected=true",
      "auto_reject_reason=blocked_user",
      "error_reason=gone",
      "happened=delivered&reviewed_by=nobody",
      "stream_id=BIG&vision_category=none&auto_rejected=true",
    ])("costs 20 000 posts more than the list without words: ?%s", async (filter) => {
      const without = await planOf(listStatement(queryOf(`order=${order}&${filter}`), null));
      const search = await planOf(listStatement(queryOf(`q=nothing&order=${order}&${filter}`), "frequent"));
      expect(search.seqScans.includes("post")).toBe(false);
      // Four or five blocks for a post, and as many again where its queue entry is read first.
      expect(search.blocks).toBeLessThanOrEqual(without.blocks + 8 * MAX_SEARCHED + 6_000);
    });
  });

  // Columns without an index of their own are counted in an index that includes them.
  it.each([
    "order=ai_unsure",
    "order=ai_unsure&stream_id=BIG",
    "reviewed=true&order=ai_unsure",
    "stream_id=RARE",
    "instance=host7.example",
    "has_media=true&reviewed=true",
    "language=ja",
    "ai_would_reject=true",
    "has_media=false&language=de",
    "since=2000-01-01",
    "approved=true&language=ja",
  ])("counts in an index that includes the columns: ?%s", async (query) => {
    const { seqScans, postRows, indexes } = await plan(query);
    expect(seqScans).not.toContain("post");
    expect(indexes.join()).toMatch(/post_(created|author)_idx/);
    expect(postRows).toBeLessThanOrEqual(ROWS / 20);
  });

  it("finds posts that a check warned of among the learnt ones", async () => {
    await db.$executeRaw`
      INSERT INTO learnt (post_id, author, rejected, reviewed_at, features, warned)
      SELECT n * 5, -1, n % 50 = 0, now() - n * interval '1 minute', '{}', CASE WHEN n % 50 = 0 THEN '{rules}' ELSE '{}' END::text[]
        FROM generate_series(1, 20000) n`;
    await vacuum("learnt");
    const { seqScans, postRows } = await plan("warned_by=rules");
    expect(seqScans).not.toContain("post");
    expect(postRows).toBeLessThanOrEqual(3 * 400 + LIMIT);
  });

  describe.each([
    ["all days", ""],
    ["a tenth", `&since=${ago(ROWS / 10)}`],
    ["an hour", `&since=${ago(ROWS)}&until=${ago(ROWS - 3_600)}`],
  ])("lists posts by the time of an event, %s", (_name, range) => {
    it.each([
      ["happened=fetched", "post_created_idx"],
      ["happened=fetched&stream_id=RARE", "post_created_idx"],
      ["happened=fetched&instance=host7.example", "post_created_idx"],
      ["happened=reviewed", "post_decided_idx"],
      ["happened=reviewed&auto_rejected=false", "post_decided_idx"],
      ["happened=reviewed&stream_id=RARE&approved=true", "post_decided_idx"],
      ["happened=reviewed&instance=host7.example&approved=true", "post_decided_idx"],
      ["happened=reviewed&reviewer=7&reviewed_by=Member 8", "post_decided_idx"],
      ["happened=reviewed&approved=false&auto_reject_reason=blocked_user", "post_auto_rejected_idx"],
      ["happened=delivered", "queue_entry_state_idx"],
      ["happened=delivered&stream_id=BIG", "queue_entry_state_idx"],
      ["happened=errored", "queue_entry_state_idx"],
    ])("?%s", async (query, index) => {
      const { seqScans, indexes, postRows, blocks } = await plan(`${query}${range}`);
      expect(seqScans).not.toContain("post");
      expect(seqScans).not.toContain("queue_entry");
      expect(indexes).toContain(index);
      expect(postRows).toBeLessThanOrEqual(3 * LIMIT);
      // One or two passes over an index.
      expect(blocks).toBeLessThanOrEqual(ROWS / 15);
    });
  });

  it("counts at most 100 000 posts by another time than creation", async () => {
    const { rows } = await plan("happened=reviewed");
    expect(rows).toBeGreaterThan(MAX_COUNT_BY_TIME);
    // One in fifty is not decided.
    expect(rows).toBeLessThanOrEqual(1.03 * MAX_COUNT_BY_TIME + 4 * LIMIT);
  });

  it("reads index entries for skipped posts, and rows only for the page", async () => {
    const far = await plan(`skip=${ROWS - LIMIT}`);
    expect(far.seqScans).not.toContain("post");
    expect(far.postRows).toBeLessThanOrEqual(2 * LIMIT);
    expect(far.blocks).toBeLessThanOrEqual(ROWS / 30);
  });
});

describe("GET /posts for a word in more than 20 000 posts", () => {
  const list = async (query: string, key: string) =>
    call<PostList>(GET, { path: `/api/v1/posts?limit=${LIMIT}&${query}`, key });

  it("searches the first 20 000 posts and sets incomplete_results", async () => {
    const { json, headers } = await list("q=otter", await makeKey());
    expect(json).toMatchObject({ total: MAX_SEARCHED, total_is_more: true, incomplete_results: true });
    expect(json.items.map((post) => post.id)).toEqual(Array.from({ length: LIMIT }, (_, n) => ROWS - n));
    expect(headers.get("link")).toContain(`skip=${LIMIT}`);
  });
});

describe(`GET /posts?q=ADDRESS among ${ROWS}`, () => {
  it("finds an address through the index of URIs or that of pages", async () => {
    const asked = ["https://x.example/77", "https://x.example/@u/78", "https://x.example/none"];
    const { seqScans, postRows } = await planOf(addressedPosts({ posts: asked, author: "nobody@x.example" }));
    expect(seqScans).not.toContain("post");
    expect(postRows).toBeLessThanOrEqual(10);
  });
});
