import { beforeAll, describe, expect, it } from "vitest";
import { GET as getPosts } from "#app/api/v1/posts/route.ts";
import { GET as getDeck } from "#app/api/v1/review/deck/route.ts";
import { db } from "#lib/base/db.ts";
import { heldReasons } from "#lib/queue/holds.ts";
import { queueSupply } from "#lib/queue/queue-overview.ts";
import type { Deck } from "#lib/review/deck-schema.ts";
import type { PostList } from "#lib/review/post-schema.ts";
import { makeKey, makeStream, setSwitches } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";

const everySwitch = Array.from({ length: 8 }, (_, mask) => ({
  require_media: (mask & 1) > 0,
  require_alt_text: (mask & 2) > 0,
  auto_reject_bots: (mask & 4) > 0,
}));

let key = "";
let streamId = 0;
const list = async (query: string, using = key) => {
  const answer = await call<PostList>(getPosts, { path: `/api/v1/posts?limit=1000&${query}`, key: using });
  expect(answer.status, query).toBe(200);
  return answer.json;
};
const ids = (page: PostList) => page.items.map((post) => post.id);

/** Posts with all combinations of missing requirements, these holds and states; one in four in the stream. */
async function makeEvery(holds: number[]): Promise<void> {
  await db.$executeRaw`
    INSERT INTO post (uri, author_username, author_account, author_key, instance, created_at, approved, reviewed_at, stream_id, language)
    SELECT 'https://x.example/' || n, 'a', '@a@x.example', 'a' || n % 3 || '@x.example', 'x.example',
           timestamptz '2026-03-01 00:00Z' + (n * 7919 % 1000) * interval '1 second', true, now(),
           CASE WHEN n % 4 = 0 THEN ${streamId}::int END, CASE WHEN n % 5 = 0 THEN 'ja' END
      FROM generate_series(1, ${holds.length * 8 * 4}::int) n`;
  await db.$executeRaw`
    INSERT INTO queue_entry (post_id, state, approved_at, post_created_at, stream_id, author_key, missing, holds,
      lease_id, lease_expires_at, delivered_at, error_reason, not_before)
    SELECT p.id, s.state, now(), p.created_at, p.stream_id, p.author_key, n % 8, (${holds}::smallint[])[1 + n / 8 % ${holds.length}],
           CASE s.state WHEN 'reserved' THEN gen_random_uuid() END, CASE s.state WHEN 'reserved' THEN now() + interval '1 hour' END,
           CASE s.state WHEN 'delivered' THEN now() END, CASE s.state WHEN 'error' THEN 'gone' END,
           CASE WHEN s.state = 'pending' AND n % 3 = 0 THEN now() + interval '1 hour' END
      FROM (SELECT *, (row_number() OVER (ORDER BY id) - 1)::int AS n FROM post) p,
           LATERAL (SELECT (ARRAY['pending', 'reserved', 'error', 'delivered'])[1 + p.n / ${holds.length * 8}] AS state) s`;
}

describe("the filter held_by", () => {
  beforeAll(async () => {
    streamId = (await makeStream()).id;
    key = await makeKey();
    await makeEvery([0, 1, 2, 3, 4, 8, 24, 48, 64, 127]);
  }, 60_000);

  it.each(everySwitch)("finds the posts whose field names the reason, in order: %o", async (switches) => {
    await setSwitches(switches);
    for (const rest of ["", "order=oldest&", "queue_status=pending&", "queue_status=error&stream_id=ID&"]) {
      const query = rest.replace("ID", String(streamId));
      const all = await list(query);
      for (const reason of heldReasons) {
        const wanted = all.items.filter((post) => post.held_by === reason);
        const found = await list(`${query}held_by=${encodeURIComponent(reason)}`);
        expect(ids(found), `${query}${reason}`).toEqual(wanted.map((post) => post.id));
        expect(found.total).toBe(wanted.length);
      }
      const held = all.items.filter((post) => post.held_by !== null);
      expect(ids(await list(`${query}held_by=any`))).toEqual(held.map((post) => post.id));
    }
  });

  it.each(everySwitch)("has the same totals as the queue overview: %o", async (switches) => {
    await setSwitches(switches);
    const supply = await queueSupply();
    expect(supply.held.length).toBeGreaterThan(3);
    const reasons = supply.held.map(({ reason }) => reason);
    expect(reasons).toEqual(heldReasons.filter((reason) => reasons.includes(reason)));
    for (const { reason, count } of supply.held) {
      const { total } = await list(`queue_status=pending&held_by=${encodeURIComponent(reason)}`);
      expect([reason, total]).toEqual([reason, count]);
    }
    const { total: held } = await list("queue_status=pending&held_by=any");
    expect(supply.held.reduce((sum, { count }) => sum + count, 0)).toBe(held);
    const entries = await db.queue_entry.findMany({ where: { state: "pending" } });
    const free = entries.filter((entry) => entry.holds === 0);
    expect(supply.kept_back).toBe(free.filter((entry) => entry.not_before !== null).length);
  });

  it("combines with paging, filters of the post and other orders", async () => {
    await setSwitches({ require_media: true, require_alt_text: true, auto_reject_bots: false });
    const all = await list("held_by=any&order=author");
    expect(all.total).toBeGreaterThan(100);
    const page = await list("held_by=any&order=author&skip=40&limit=20");
    expect(ids(page)).toEqual(ids(all).slice(40, 60));
    const japanese = await list("held_by=require_alt_text&language=ja&order=ai_unsure");
    const wanted = all.items.filter((post) => post.held_by === "require_alt_text" && post.language === "ja");
    expect(ids(japanese).sort()).toEqual(wanted.map((post) => post.id).sort());
    expect(wanted.length).toBeGreaterThan(3);
  });

  it("matches no delivered and no unreviewed post", async () => {
    expect((await list("held_by=any&queue_status=delivered")).total).toBe(0);
    const deck = await call<Deck>(getDeck, { path: "/api/v1/review/deck?held_by=any", key });
    expect(deck.json).toMatchObject({ items: [], remaining: 0 });
  });
});
