import { beforeAll, describe, expect, it } from "vitest";
import { GET } from "#app/api/v1/review/deck/route.ts";
import { db } from "#lib/base/db.ts";
import { DeckQuery, type Deck } from "#lib/review/deck-schema.ts";
import { skippedStatement, claimStatement, remainingStatement } from "#lib/review/deck-sql.ts";
import { LogQuery } from "#lib/review/log-schema.ts";
import { logStatement } from "#lib/review/log.ts";
import { MAX_SEARCHED } from "#lib/review/post-schema.ts";
import { searchMode } from "#lib/review/search-posts.ts";
import { fillPosts, planOf, vacuum, type LargeTable } from "#tests/integration/database/large-table.ts";
import { makeKey } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";

const ROWS = 120_000;
const HELD = 400;
const SKIPPED = 100;
const COUNT = 20;
let table: LargeTable;

beforeAll(async () => {
  table = await fillPosts(ROWS, true);
  // Leased posts at both ends of the order.
  await db.$executeRaw`
    INSERT INTO review_lease (post_id, holder, expires_at)
    SELECT id, 'm' || id % 20, now() + interval '5 minutes' FROM post WHERE id <= ${HELD / 2} OR id > ${ROWS - HELD / 2}`;
  await db.$executeRaw`
    INSERT INTO review_lease (post_id, holder, expires_at, skipped) SELECT id, '', 'epoch', '{"k1": "2026-01-01"}' FROM post WHERE id > ${HELD / 2} AND id <= ${HELD / 2 + SKIPPED}`;
  await db.$executeRaw`
    INSERT INTO post_event (post_id, actor, member_id, source, action, details, at)
    SELECT n, 'actor', n / 20 % 10, CASE WHEN n % 2 = 0 THEN 'api' ELSE 'screen' END,
           CASE WHEN n % 20 = 0 THEN 'approve' WHEN n % 20 = 1 THEN 'reject' WHEN n % 2 = 0 THEN 'reserve' ELSE 'ack' END,
           CASE WHEN n % 40 = 0 THEN '{"batch_id": "b"}'::jsonb END, now() - (200000 - n) * interval '1 minute'
      FROM generate_series(1, 200000) n`;
  for (const table of ["review_lease", "post_event"]) {
    await db.$executeRawUnsafe(`ANALYZE ${table}`);
  }
}, 300_000);

const query = (text: string) =>
  DeckQuery.parse(
    Object.fromEntries(
      new URLSearchParams(
        text.replace("RARE", String(table.streamIds[1])).replace("BIG", String(table.streamIds[0])),
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
    "vision_category=explicit",
    "q=word17",
    "author=user7",
    "instance=host7.example",
  ])("takes cards from the head of an index: ?%s", async (text) => {
    const { count: _count, order, ...filters } = query(text);
    const plan = await planOf(claimStatement("k1", filters, order, COUNT, await searchMode(filters)));
    expect(plan.seqScans).not.toContain("post");
    // Leased and skipped posts cost a few rows each.
    expect(plan.postRows).toBeLessThanOrEqual(HELD + SKIPPED + 50 * COUNT);
    await db.$executeRaw`DELETE FROM review_lease WHERE holder = 'k1'`;
  });

  it.each(["q=otter", "q=otter weir&order=newest", "q=otter&stream_id=BIG"])(
    "stops at the first cards that contain a frequent word: ?%s",
    async (text) => {
      const { count: _count, order, ...filters } = query(text);
      const plan = await planOf(claimStatement("k1", filters, order, COUNT, "frequent"));
      expect(plan.seqScans).not.toContain("post");
      expect(plan.postRows).toBeLessThanOrEqual(HELD + SKIPPED + 50 * COUNT);
      await db.$executeRaw`DELETE FROM review_lease WHERE holder = 'k1'`;
    },
  );

  describe.each(["oldest", "newest", "ai_unsure", "author"])(
    "a word that no post contains, order=%s",
    (order) => {
      it.each([
        "",
        "stream_id=BIG",
        "stream_id=RARE",
        "has_media=true",
        "language=ja",
        "vision_category=explicit",
        "instance=host7.example",
        "author=user77@host17.example",
        "seen_in=RARE",
        "happened=fetched&since=2020-01-01",
        "until=2020-01-01",
        "has_media=false&language=de&instance=host7.example",
      ])("reads at most 20 000 posts: ?%s", async (text) => {
        const { count: _count, order: by, ...filters } = query(`q=nothing&order=${order}&${text}`);
        for (const statement of [
          claimStatement("k1", filters, by, COUNT, "frequent"),
          remainingStatement("k1", filters, by, "frequent"),
        ]) {
          const plan = await planOf(statement);
          expect(plan.seqScans).not.toContain("post");
          // A row is read for the filters and again for the words.
          expect(plan.postRows).toBeLessThanOrEqual(2 * MAX_SEARCHED + 2 * (HELD + SKIPPED) + 2_500);
          expect(plan.blocks).toBeLessThanOrEqual(9 * MAX_SEARCHED + 6_000);
        }
      });
    },
  );

  it("answers a filter that no post matches from the index alone", async () => {
    const { count: _count, order, ...filters } = query("language=xx");
    const plan = await planOf(claimStatement("k1", filters, order, COUNT));
    expect(plan.seqScans).not.toContain("post");
    expect(plan.postRows).toBeLessThanOrEqual(HELD + SKIPPED);
    expect(plan.blocks).toBeLessThanOrEqual(ROWS / 40);
  });

  it.each(["q=rare", "q=word17&language=en"])("counts only the posts with a rare word: ?%s", async (text) => {
    const { count: _count, order, ...filters } = query(text);
    const plan = await planOf(remainingStatement("k1", filters, order, "rare"));
    expect(plan.postRows).toBeLessThanOrEqual(200);
  });

  it("finds skipped posts without reading others", async () => {
    const plan = await planOf(skippedStatement("k1", query(""), "oldest", COUNT));
    expect(plan.seqScans).not.toContain("post");
    expect(plan.postRows).toBeLessThanOrEqual(2 * SKIPPED + COUNT);
    await db.$executeRaw`DELETE FROM review_lease WHERE holder = 'k1'`;
  });

  it.each(["", "stream_id=BIG"])("reads the remaining count from the counters: ?%s", async (text) => {
    const { count: _count, order: _order, ...filters } = query(text);
    const plan = await planOf(remainingStatement("k1", filters, "oldest"));
    expect(plan.seqScans).not.toContain("post");
    expect(plan.postRows).toBeLessThanOrEqual(HELD + 10);
  });
});

describe("the log among 200 000 lines of history", () => {
  it.each([
    "limit=50",
    "limit=50&member_id=4",
    "limit=50&cursor=1000-",
    "limit=50&since=2020-01-01",
    "limit=50&action=reject",
    "limit=50&post_id=77",
  ])("walks an index of its own: ?%s", async (text) => {
    const plan = await planOf(logStatement(LogQuery.parse(Object.fromEntries(new URLSearchParams(text)))));
    expect(plan.seqScans).not.toContain("post_event");
    expect(plan.rows).toBeLessThanOrEqual(1_000);
  });
});

describe("GET /review/deck for a word in more than 20 000 posts that hardly any card contains", () => {
  const only = 3_000;
  const path = "/api/v1/review/deck?q=weir&has_media=true&count=5";
  beforeAll(async () => {
    await db.$executeRaw`
      UPDATE post SET search = array_to_tsvector(ARRAY['otter'] || CASE WHEN id = ${only} THEN '{weir}' ELSE '{}' END::text[]) WHERE media_count > 0`;
    await vacuum("post");
  }, 120_000);

  it("sets incomplete_results when the first 20 000 posts hold too few cards", async () => {
    const { json } = await call<Deck>(GET, { path: `${path}&order=newest`, key: await makeKey() });
    expect(json).toEqual({
      items: [],
      remaining: 0,
      remaining_is_more: true,
      leased_to_others: 0,
      incomplete_results: true,
    });
  });
});
