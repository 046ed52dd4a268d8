import { beforeAll, describe, expect, it } from "vitest";
import { db } from "#lib/db.ts";
import { DeckQuery } from "#lib/review/deck-schema.ts";
import { ReviewLogQuery } from "#lib/review/log-schema.ts";
import { behindStatement, claimStatement, remainingStatement } from "#lib/review/deck-sql.ts";
import { WINDOW } from "#lib/posts/search-sql.ts";
import { logStatement } from "#lib/review/log-sql.ts";
import { makeMany, planOf, type Many } from "./posts-many.ts";

const ROWS = 120_000;
const HELD = 400;
const SKIPPED = 100;
const COUNT = 20;
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
    const plan = await planOf(claimStatement("k1", filters, order, COUNT, true));
    expect(plan.seqScans).not.toContain("post");
    expect(plan.postRows).toBeLessThanOrEqual(HELD + SKIPPED + 50 * COUNT);
    await db.$executeRaw`DELETE FROM review_lease WHERE holder = 'k1'`;
  });

  it("tells what no post has from the index alone", async () => {
    const { count: _count, order, ...filters } = query("language=xx");
    const plan = await planOf(claimStatement("k1", filters, order, COUNT));
    expect(plan.seqScans).not.toContain("post");
    expect(plan.postRows).toBeLessThanOrEqual(HELD + SKIPPED);
    expect(plan.blocks).toBeLessThanOrEqual(ROWS / 40);
  });

  it.each(["q=rare", "q=word17&language=en"])("counts a rare word by itself: ?%s", async (text) => {
    const { count: _count, order: _order, ...filters } = query(text);
    expect((await planOf(remainingStatement("k1", filters))).postRows).toBeLessThanOrEqual(200);
  });

  it.each(["q=otter", "q=otter&language=ja"])("counts a frequent word in a window: ?%s", async (text) => {
    const { count: _count, order: _order, ...filters } = query(text);
    const plan = await planOf(remainingStatement("k1", filters, true));
    expect(plan.seqScans).not.toContain("post");
    expect(plan.postRows).toBeLessThanOrEqual(WINDOW + 1 + HELD);
  });

  it("finds skipped and muted posts without looking at the others", async () => {
    const plan = await planOf(behindStatement("k1", query(""), "oldest", COUNT));
    expect(plan.seqScans).not.toContain("post");
    // Fifty muted authors with 24 posts each, and the skipped ones, twice.
    expect(plan.postRows).toBeLessThanOrEqual(2 * (50 * 24 + SKIPPED) + COUNT);
    await db.$executeRaw`DELETE FROM review_lease WHERE holder = 'k1'`;
  });

  it.each(["", "stream_id=BIG"])("knows what is left from the counters: ?%s", async (text) => {
    const { count: _count, order: _order, ...filters } = query(text);
    const plan = await planOf(remainingStatement("k1", filters));
    expect(plan.seqScans).not.toContain("post");
    expect(plan.postRows).toBeLessThanOrEqual(HELD + 10);
  });

  it("stops counting what no counter knows", async () => {
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
