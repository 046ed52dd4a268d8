import { beforeAll, describe, expect, it } from "vitest";
import { GET } from "#app/api/v1/posts/route.ts";
import { db } from "#lib/db.ts";
import { COUNT_BY_MOMENT } from "#lib/posts/count-posts.ts";
import { postStatement } from "#lib/posts/lookup-sql.ts";
import { PostQuery, type PostFilters, type PostList } from "#lib/posts/schema.ts";
import { readPlace } from "#lib/posts/search-after.ts";
import { countLeads, leadsOf, shortLead } from "#lib/posts/search-leads.ts";
import { REACH, WINDOW, type PostSearch } from "#lib/posts/search-sql.ts";
import { listStatement } from "#lib/posts/sql.ts";
import { makeKey } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";
import { makeMany, planOf, type Many } from "./posts-many.ts";

const ROWS = 120_000;
const LIMIT = 50;
const further: PostSearch = { in: "further", reach: REACH, stopsAt: "time" };
let many: Many;
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();

beforeAll(async () => {
  many = await makeMany(ROWS);
}, 300_000);

function queryOf(query: string) {
  const params = new URLSearchParams(
    query.replace("RARE", String(many.streamIds[1])).replace("BIG", String(many.streamIds[0])),
  );
  params.set("limit", String(LIMIT));
  return PostQuery.parse(Object.fromEntries(params));
}

const plan = (query: string, search?: PostSearch) => planOf(listStatement(queryOf(query), search));

describe(`GET /posts among ${ROWS}`, () => {
  // A page reads its own rows, twice at most; the count comes from the counters.
  it.each([
    "",
    "order=oldest",
    "order=ai_unsure",
    "order=author",
    "reviewed=false",
    "reviewed=false&order=oldest",
    "reviewed=false&order=ai_unsure",
    "reviewed=false&order=author",
    "reviewed=true",
    "approved=true",
    "approved=false",
    "approved=false&order=oldest",
    "stream_id=BIG",
    "stream_id=RARE",
    "stream_id=BIG&reviewed=false",
    "stream_id=RARE&reviewed=false",
    "queue_status=pending",
    "queue_status=reserved",
    "queue_status=error&order=oldest",
    "queue_status=delivered",
    "queue_status=pending&stream_id=BIG",
    "has_media=true",
    "stream_id=BIG&has_media=false",
  ])("counted: ?%s", async (query) => {
    const { seqScans, postRows, rows } = await plan(query);
    expect(seqScans).not.toContain("post");
    expect(seqScans).not.toContain("queue_entry");
    expect(postRows).toBeLessThanOrEqual(2 * LIMIT);
    expect(rows).toBeLessThanOrEqual(4 * LIMIT + 50);
  });

  // What few posts have is found through its index, page and count.
  it.each([
    ["author=user7@host7.example", 200],
    ["author=user7", 2_000],
    ["instance=host7.example", 5_000],
    ["q=rare", 100],
    ["q=rare&reviewed=false", 100],
    ["q=word17&order=oldest", 300],
    ["seen_in=RARE", 600],
  ])("rare: ?%s", async (query, most) => {
    const { seqScans, postRows } = await plan(query);
    expect(seqScans).not.toContain("post");
    expect(postRows).toBeLessThanOrEqual(most);
  });

  // A word that all posts have is looked for in a window of what matches everything else: four or five blocks a post.
  it.each([
    "q=otter",
    "q=otter weir&order=oldest",
    "q=otter&order=ai_unsure",
    "q=otter&order=author",
    "q=otter&stream_id=BIG",
    "q=otter&stream_id=RARE",
    "q=otter&reviewed=false",
    "q=otter&approved=false&order=oldest",
    "q=otter&language=ja",
    "q=otter&has_media=true&language=de",
    "q=otter&queue_status=pending",
    "q=otter&queue_status=error",
    "q=otter&until=2020-01-01",
    "q=otter&instance=host7.example",
  ])("frequent: ?%s", async (query) => {
    const { seqScans, postRows, blocks } = await plan(query, { in: "window" });
    expect(seqScans).not.toContain("post");
    expect(postRows).toBeLessThanOrEqual(WINDOW + 1 + 2 * LIMIT);
    expect(blocks).toBeLessThanOrEqual(5 * WINDOW + 6_000);
  });

  // Words that no such post has: so many are looked through, four blocks each, and those passed over in an index.
  it.each([
    "q=nothing",
    "q=nothing&order=oldest",
    "q=nothing&stream_id=BIG",
    "q=nothing&approved=true",
    "q=nothing&has_media=true",
    "q=nothing&queue_status=delivered&order=oldest",
    "q=nothing&happened=reviewed&approved=true",
    "q=nothing&happened=delivered",
    "q=nothing&order=ai_unsure",
    "q=nothing&order=author",
    "q=nothing&order=ai_unsure&has_media=true",
    "q=nothing&order=author&language=ja&approved=true",
    "q=nothing&order=ai_unsure&search_after=1700000000000~77~1",
    "q=nothing&order=author&search_after=1700000000000~77~user3@host3.example",
  ])("frequent, and stopped: ?%s", async (query) => {
    const asked: PostQuery & PostFilters = queryOf(query);
    asked.after = readPlace(asked.search_after ?? "", asked.order) ?? undefined;
    const { seqScans, postRows, blocks } = await planOf(listStatement(asked, further));
    expect(seqScans).not.toContain("post");
    expect(postRows).toBeLessThanOrEqual(REACH + 2 * LIMIT);
    expect(blocks).toBeLessThanOrEqual(5 * REACH + 6_000);
  });

  // Every filter in every order, with words that all posts have and with words that none has: what a search does when
  // the first posts it looks at are not enough is bounded, whatever else it asks.
  describe.each(["newest", "oldest", "ai_unsure", "author"])("any one filter, order=%s", (order) => {
    it.each([
      "",
      "stream_id=BIG",
      "stream_id=RARE",
      "seen_in=BIG",
      "seen_in=RARE",
      "approved=true",
      "approved=false",
      "reviewed=false",
      "reviewed=true",
      "queue_status=pending",
      "queue_status=delivered",
      "queue_status=error",
      "held_by=any",
      "held_by=require_media",
      "language=ja",
      "language=xx",
      "has_media=true",
      "ai_would_reject=true",
      "vision_category=explicit",
      "author=user7@host7.example",
      "author=user7",
      "author=otter",
      "instance=host7.example",
      "instance=none.example",
      "happened=fetched",
      "happened=reviewed",
      "happened=delivered",
      "happened=errored",
      "since=2020-01-01",
      "until=2020-01-01",
      "reviewer=7",
      "reviewer=0",
      "reviewed_by=Member 8",
      "auto_rejected=true",
      "auto_rejected=false",
      "auto_reject_reason=blocked_user",
      "error_reason=gone",
      "waited_for_review=60",
      "waited_for_review=99999",
      "waited_for_delivery=60",
      "waited_for_delivery=99999",
      "queue_status=delivered&waited_for_review=99999",
      "happened=delivered&reviewed_by=nobody",
      "seen_in=BIG&queue_status=delivered&waited_for_review=99999",
      "instance=host7.example&language=xx",
      "stream_id=BIG&vision_category=none&auto_rejected=true",
    ])("?%s", async (filter) => {
      const asked = (word: string) => queryOf(`q=${word}&order=${order}&${filter}`);
      const leads = leadsOf(asked("nothing"));
      const lead = await shortLead(asked("nothing"), REACH);
      const probe = leads.length === 0 ? 0 : (await planOf(countLeads(leads, REACH))).blocks;
      // What no index begins with is counted in one that carries it, a hundred entries a block.
      expect(probe).toBeLessThanOrEqual(leads.length * 600 + ROWS / 60);
      const beyond: PostSearch = lead ? { in: "within", lead } : further;
      for (const [word, search, most] of [
        ["otter", { in: "window" }, WINDOW],
        ["nothing", beyond, REACH],
      ] as const) {
        const { seqScans, postRows, blocks } = await planOf(listStatement(asked(word), search));
        expect(seqScans, search.in).not.toContain("post");
        expect(seqScans, search.in).not.toContain("queue_entry");
        expect(postRows, search.in).toBeLessThanOrEqual(most + 8 * LIMIT);
        // A post, its entry in the queue and its sighting, three or four blocks each, and what an index passes over.
        expect(blocks, search.in).toBeLessThanOrEqual((filter.includes("&") ? 12 : 9) * most + 6_000);
      }
    });
  });

  // What no index begins with is counted in an index that carries it, never in the wide table.
  it.each([
    "has_media=true&reviewed=true",
    "language=ja",
    "ai_would_reject=true",
    "vision_category=explicit",
    "has_media=false&language=de",
    "since=2000-01-01",
    "approved=true&language=ja",
  ])("carried by an index: ?%s", async (query) => {
    const { seqScans, postRows, indexes } = await plan(query);
    expect(seqScans).not.toContain("post");
    expect(indexes).toContain("post_created_idx");
    expect(postRows).toBeLessThanOrEqual(ROWS / 20);
  });

  // The posts behind a figure: the whole of the table's days, a tenth of them, and one hour at its other end.
  describe.each([
    ["all days", ""],
    ["a tenth", `&since=${ago(ROWS / 10)}`],
    ["an hour", `&since=${ago(ROWS)}&until=${ago(ROWS - 3_600)}`],
  ])("by what happened in %s", (_name, range) => {
    it.each([
      ["happened=fetched", "post_fetched_idx"],
      ["happened=fetched&order=oldest", "post_fetched_idx"],
      ["happened=fetched&stream_id=RARE", "post_stream_fetched_idx"],
      ["happened=reviewed", "post_decided_idx"],
      ["happened=reviewed&approved=true", "post_decided_idx"],
      ["happened=reviewed&auto_rejected=false", "post_decided_idx"],
      ["happened=reviewed&stream_id=RARE&approved=true", "post_stream_decided_idx"],
      ["happened=reviewed&reviewer=7&reviewed_by=Member 8", "post_reviewer_idx"],
      ["happened=reviewed&reviewer=7&waited_for_review=60", "post_reviewer_idx"],
      ["happened=reviewed&auto_rejected=false&waited_for_review=60", "post_decided_idx"],
      ["happened=reviewed&approved=false&auto_reject_reason=blocked_user", "post_auto_rejected_idx"],
      ["happened=delivered", "queue_entry_delivered_idx"],
      ["happened=delivered&order=oldest", "queue_entry_delivered_idx"],
      ["happened=delivered&stream_id=BIG", "queue_entry_delivered_idx"],
      ["happened=delivered&waited_for_delivery=60", "queue_entry_delivered_idx"],
      ["happened=errored", "queue_entry_errored_idx"],
    ])("?%s", async (query, index) => {
      const { seqScans, indexes, postRows, blocks } = await plan(`${query}${range}`);
      expect(seqScans).not.toContain("post");
      expect(seqScans).not.toContain("queue_entry");
      expect(indexes).toContain(index);
      // The rows of the page, found by their index and then read whole.
      expect(postRows).toBeLessThanOrEqual(3 * LIMIT);
      expect(blocks).toBeLessThanOrEqual(ROWS / 60);
    });
    it.each([
      "happened=fetched&instance=host7.example",
      "happened=reviewed&instance=host7.example&auto_rejected=false",
      "happened=reviewed&instance=host7.example&approved=true",
    ])("?%s, of one server in sixty", async (query) => {
      const { seqScans, postRows, blocks } = await plan(`${query}${range}`);
      expect(seqScans).not.toContain("post");
      expect(postRows).toBeLessThanOrEqual(3 * LIMIT);
      expect(blocks).toBeLessThanOrEqual(ROWS / 60);
    });
    it.each([
      "happened=reviewed&approved=true&author=user7@host7.example",
      "happened=errored&error_reason=gone",
    ])("?%s", async (query) => {
      const { seqScans, postRows } = await plan(`${query}${range}`);
      expect(seqScans).not.toContain("post");
      expect(seqScans).not.toContain("queue_entry");
      expect(postRows).toBeLessThanOrEqual(ROWS / 20);
    });
  });

  it("counts no more than 100 000 of what happened", async () => {
    const { rows } = await plan("happened=fetched");
    expect(rows).toBeGreaterThan(COUNT_BY_MOMENT);
    expect(rows).toBeLessThanOrEqual(COUNT_BY_MOMENT + 1 + 4 * LIMIT);
  });

  it("counts waits among the newest 100 000, and says that there may be more", async () => {
    for (const [seconds, total] of [
      [60, COUNT_BY_MOMENT],
      [99_999, 0],
    ] as const) {
      const query = PostQuery.parse({ happened: "reviewed", waited_for_review: String(seconds), limit: "1" });
      const [row] = await db.$queryRaw<object[]>(listStatement(query));
      expect(row).toMatchObject({ total, total_is_more: true });
    }
  });

  it("a page far behind reads index entries, and posts only for what it shows", async () => {
    const far = await plan(`skip=${ROWS - LIMIT}`);
    expect(far.seqScans).not.toContain("post");
    expect(far.postRows).toBeLessThanOrEqual(2 * LIMIT);
    expect(far.blocks).toBeLessThanOrEqual(3_000);
  });

  it("nothing is walked behind the end", async () => {
    const behind = await plan("skip=2000000000");
    expect(behind.rows).toBeLessThanOrEqual(50);
  });
});

describe("GET /posts for a word that most posts have and hardly one that matches the filters", () => {
  beforeAll(async () => {
    await db.$executeRaw`
      UPDATE post SET search = array_to_tsvector(ARRAY['otter'] || CASE WHEN id = 6 THEN '{weir}' ELSE '{}' END::text[]) WHERE media_count > 0`;
    await db.$executeRawUnsafe("VACUUM ANALYZE post");
  }, 120_000);

  it("says how far it has searched, and leads on to the only one", async () => {
    const key = await makeKey();
    let path = `/api/v1/posts?q=weir&has_media=true&limit=${LIMIT}`;
    const seen: [number, number, boolean][] = [];
    for (let i = 0; i < 5 && path !== ""; i++) {
      const { json, headers } = await call<PostList>(GET, { path, key });
      seen.push([json.items.length, json.total, json.searched_until !== undefined]);
      const next = /<([^>]*)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
      expect(next !== undefined).toBe(json.total_is_more === true);
      path = next === undefined ? "" : new URL(next).pathname + new URL(next).search;
    }
    expect(seen).toEqual([
      [0, 0, true],
      [1, 1, false],
    ]);
  });
});

describe(`GET /lookup among ${ROWS}`, () => {
  it("finds an address through the index of URIs or that of pages", async () => {
    const asked = ["https://x.example/77", "https://x.example/@u/78", "https://x.example/none"];
    const { seqScans, postRows } = await planOf(postStatement(asked));
    expect(seqScans).not.toContain("post");
    expect(postRows).toBeLessThanOrEqual(10);
  });
});
