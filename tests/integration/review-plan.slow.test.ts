import { beforeAll, describe, expect, it } from "vitest";
import { GET } from "#app/api/v1/review/deck/route.ts";
import { db } from "#lib/db.ts";
import { DeckQuery, type Deck } from "#lib/review/deck-schema.ts";
import { ReviewLogQuery } from "#lib/review/log-schema.ts";
import { behindStatement, claimStatement, remainingStatement } from "#lib/review/deck-sql.ts";
import type { DeckSearch } from "#lib/review/deck-search-sql.ts";
import { readPlace } from "#lib/posts/search-after.ts";
import { shortLead } from "#lib/posts/search-leads.ts";
import { REACH, WINDOW } from "#lib/posts/search-sql.ts";
import { logStatement } from "#lib/review/log-sql.ts";
import { makeKey } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";
import { makeMany, planOf, type Many } from "./posts-many.ts";

const ROWS = 120_000;
const HELD = 400;
const SKIPPED = 100;
const COUNT = 20;
const walk: DeckSearch = { in: "walk", reach: REACH };
let many: Many;

beforeAll(async () => {
  many = await makeMany(ROWS, true);
  // The worst place for what the deck has to pass over: the head of the line, from both ends.
  await db.$executeRaw`
    INSERT INTO review_lease (post_id, holder, expires_at)
    SELECT id, 'm' || id % 20, now() + interval '5 minutes' FROM post WHERE id <= ${HELD / 2} OR id > ${ROWS - HELD / 2}`;
  await db.$executeRaw`
    INSERT INTO review_skip (holder, post_id) SELECT 'k1', id FROM post WHERE id > ${HELD / 2} AND id <= ${HELD / 2 + SKIPPED}`;
  await db.$executeRaw`INSERT INTO author_standing (author_key, standing, set_by) SELECT 'user' || n || '@host' || n % 60 || '.example', 'muted', 'x' FROM generate_series(1, 50) n`;
  await db.$executeRaw`
    INSERT INTO post_event (post_id, actor, member_id, source, action, details, at)
    SELECT n, 'actor', n / 20 % 10, CASE WHEN n % 2 = 0 THEN 'api' ELSE 'screen' END,
           CASE WHEN n % 20 = 0 THEN 'approve' WHEN n % 20 = 1 THEN 'reject' WHEN n % 2 = 0 THEN 'reserve' ELSE 'ack' END,
           CASE WHEN n % 40 = 0 THEN '{"batch_id": "b"}'::jsonb END, now() - (200000 - n) * interval '1 minute'
      FROM generate_series(1, 200000) n`;
  for (const table of ["review_lease", "review_skip", "author_standing", "post_event"]) {
    await db.$executeRawUnsafe(`ANALYZE ${table}`);
  }
}, 300_000);

const query = (text: string) =>
  DeckQuery.parse(
    Object.fromEntries(
      new URLSearchParams(
        text.replace("RARE", String(many.streamIds[1])).replace("BIG", String(many.streamIds[0])),
      ),
    ),
  );

describe(`the deck among ${ROWS} unreviewed posts`, () => {
  it.each([
    "",
    "order=newest",
    "order=ai_unsure",
    "order=author",
    "stream_id=BIG",
    "stream_id=RARE",
    "has_media=true",
    "q=rare",
    "language=ja&order=newest",
    "language=ja",
    "language=de&order=author",
    "vision_category=explicit",
    "has_media=true&order=ai_unsure",
    "q=word17",
    "q=word17&stream_id=BIG&order=author",
    "author=user7",
    "instance=host7.example",
  ])("takes cards from the head of an index: ?%s", async (text) => {
    const { count: _count, order, ...filters } = query(text);
    const plan = await planOf(claimStatement("k1", filters, order, COUNT));
    expect(plan.seqScans).not.toContain("post");
    // What others hold and what was skipped is passed over, each with a few probes; a filter costs its misses.
    expect(plan.postRows).toBeLessThanOrEqual(HELD + SKIPPED + 50 * COUNT);
    await db.$executeRaw`DELETE FROM review_lease WHERE holder = 'k1'`;
  });

  it.each([
    "q=otter",
    "q=otter weir&order=newest",
    "q=otter&order=author",
    "q=otter&stream_id=BIG",
    "q=otter&has_media=true",
  ])("meets frequent words on the way: ?%s", async (text) => {
    const { count: _count, order, ...filters } = query(text);
    const plan = await planOf(claimStatement("k1", filters, order, COUNT, walk));
    expect(plan.seqScans).not.toContain("post");
    expect(plan.postRows).toBeLessThanOrEqual(HELD + SKIPPED + 50 * COUNT);
    await db.$executeRaw`DELETE FROM review_lease WHERE holder = 'k1'`;
  });

  // Words that no post has: so many are looked through, four blocks each, and what the deck and an index pass over.
  describe.each(["oldest", "newest", "ai_unsure", "author"])("stops, order=%s", (order) => {
    it.each([
      "",
      "stream_id=BIG",
      "stream_id=RARE",
      "has_media=true",
      "language=ja",
      "language=xx",
      "vision_category=explicit",
      "instance=host7.example",
      "author=otter",
      "author=user77@host17.example",
      "seen_in=BIG",
      "seen_in=RARE",
      "happened=fetched&since=2020-01-01",
      "since=2020-01-01",
      "until=2020-01-01",
      "has_media=false&language=de&instance=host7.example",
    ])("where hardly any post has the words: ?%s", async (text) => {
      const { count: _count, order: by, ...filters } = query(`q=nothing&order=${order}&${text}`);
      const lead = await shortLead({ ...filters, reviewed: false }, REACH);
      const search: DeckSearch = lead ? { in: "within", lead } : walk;
      const plan = await planOf(claimStatement("k1", filters, by, COUNT, search));
      expect(plan.seqScans).not.toContain("post");
      expect(plan.postRows).toBeLessThanOrEqual(REACH + 2 * (HELD + SKIPPED) + 2_500);
      expect(plan.blocks).toBeLessThanOrEqual(9 * REACH + 6_000);
      const left = await planOf(remainingStatement("k1", filters, { in: "walk", reach: WINDOW }));
      expect(left.seqScans).not.toContain("post");
      expect(left.postRows).toBeLessThanOrEqual(WINDOW + 1 + 2 * HELD);
      expect(left.blocks).toBeLessThanOrEqual(9 * WINDOW + 6_000);
    });
  });

  it("continues after a position without reading the posts before it", async () => {
    for (const [order, place] of [
      ["oldest", `${Date.now() - (ROWS / 2) * 1000}~5`],
      ["ai_unsure", "1700000000000~77~0.25"],
      ["author", "1700000000000~77~user3@host3.example"],
    ] as const) {
      const { count: _count, order: by, ...filters } = query(`q=nothing&order=${order}`);
      const after = readPlace(place, order) ?? undefined;
      const plan = await planOf(claimStatement("k1", { ...filters, after }, by, COUNT, walk));
      expect(plan.postRows).toBeLessThanOrEqual(REACH + 2 * (HELD + SKIPPED) + 2_500);
      expect(plan.blocks).toBeLessThanOrEqual(9 * REACH + 6_000);
    }
  });

  it("finds that no post matches from the index alone", async () => {
    const { count: _count, order, ...filters } = query("language=xx");
    const plan = await planOf(claimStatement("k1", filters, order, COUNT));
    expect(plan.seqScans).not.toContain("post");
    expect(plan.postRows).toBeLessThanOrEqual(HELD + SKIPPED);
    expect(plan.blocks).toBeLessThanOrEqual(ROWS / 40);
  });

  it.each(["q=rare", "q=word17&language=en"])("counts a rare word exactly: ?%s", async (text) => {
    const { count: _count, order: _order, ...filters } = query(text);
    expect((await planOf(remainingStatement("k1", filters))).postRows).toBeLessThanOrEqual(200);
  });

  it.each(["q=otter", "q=otter&language=ja"])("counts a frequent word in a window: ?%s", async (text) => {
    const { count: _count, order: _order, ...filters } = query(text);
    const plan = await planOf(remainingStatement("k1", filters, { in: "walk", reach: WINDOW }));
    expect(plan.seqScans).not.toContain("post");
    expect(plan.postRows).toBeLessThanOrEqual(WINDOW + 1 + HELD);
  });

  it("finds skipped and muted posts without reading others", async () => {
    const plan = await planOf(behindStatement("k1", query(""), "oldest", COUNT));
    expect(plan.seqScans).not.toContain("post");
    // Fifty muted authors with 24 posts each, and the skipped ones, twice.
    expect(plan.postRows).toBeLessThanOrEqual(2 * (50 * 24 + SKIPPED) + COUNT);
    await db.$executeRaw`DELETE FROM review_lease WHERE holder = 'k1'`;
  });

  it.each(["", "stream_id=BIG"])("reads the remaining posts from the counters: ?%s", async (text) => {
    const { count: _count, order: _order, ...filters } = query(text);
    const plan = await planOf(remainingStatement("k1", filters));
    expect(plan.seqScans).not.toContain("post");
    expect(plan.postRows).toBeLessThanOrEqual(HELD + 10);
  });

  it("stops counting at its limit when no counter has the figure", async () => {
    const { count: _count, order: _order, ...filters } = query("has_media=false");
    const plan = await planOf(remainingStatement("k1", filters));
    expect(plan.postRows).toBeLessThanOrEqual(20_000);
  });
});

describe("the review log among 200 000 lines of history", () => {
  it.each([
    "limit=50",
    "limit=50&member_id=4",
    "limit=50&cursor=1000",
    "limit=50&since=2020-01-01",
    "limit=50&action=reject",
    "limit=50&post_id=77",
    "limit=50&until=2020-01-01",
  ])("walks an index of its own: ?%s", async (text) => {
    const plan = await planOf(
      logStatement(ReviewLogQuery.parse(Object.fromEntries(new URLSearchParams(text)))),
    );
    expect(plan.seqScans).not.toContain("post_event");
    expect(plan.rows).toBeLessThanOrEqual(1_000);
  });
});

describe("GET /review/deck for a word that most posts have and hardly one that matches the filters", () => {
  const only = 3_000;
  beforeAll(async () => {
    await db.$executeRaw`
      UPDATE post SET search = array_to_tsvector(ARRAY['otter'] || CASE WHEN id = ${only} THEN '{weir}' ELSE '{}' END::text[]) WHERE media_count > 0`;
    await db.$executeRawUnsafe("VACUUM ANALYZE post");
  }, 120_000);

  it("stops, returns search_after, and continues to the only card", async () => {
    const key = await makeKey();
    const path = "/api/v1/review/deck?q=weir&has_media=true&order=newest&count=5";
    const { json } = await call<Deck>(GET, { path, key });
    expect(json).toMatchObject({ items: [], remaining: 0, remaining_is_more: true });
    const onward = `${path}&search_after=${json.search_after}`;
    const next = await call<Deck>(GET, { path: onward, key });
    expect(next.json.items.map((card) => card.id)).toEqual([only]);
    expect(next.json).not.toHaveProperty("search_after");
    const wrong = await call(GET, { path: onward.replace("order=newest", "order=author"), key });
    expect(wrong.status).toBe(422);
  });
});
