import { beforeEach, describe, expect, test } from "vitest";
import { GET as getErrors } from "#app/api/v1/stats/errors/route.ts";
import { GET as getPosts } from "#app/api/v1/stats/posts/route.ts";
import { GET as getStats } from "#app/api/v1/stats/route.ts";
import { GET as getStreams } from "#app/api/v1/stats/streams/route.ts";
import { hashKey } from "#lib/accounts/api-key.ts";
import { db } from "#lib/base/db.ts";
import { listBotFigures, listConsumingKeys } from "#lib/stats/get-overview.ts";
import { keyRows } from "#lib/stats/metrics-sql.ts";
import type { ErrorStats, PostStats, Stats, StreamStats } from "#lib/stats/schema.ts";
import { ageReservation, next, settle } from "#tests/integration/queue/moves.ts";
import { makeKey, makePending, makePost, makeStream } from "#tests/setup/factories.ts";
import { ago, compacted, forgetEverything, move, readStats, rejected } from "./stats-moves.ts";

beforeEach(forgetEverything);

const stats = () => readStats<Stats>(getStats, "/stats");

describe("GET /stats", () => {
  test("counts streams, active ones, and has the last fetch of any", async () => {
    const last_fetch = new Date("2026-05-04T10:00:00.500Z");
    await makeStream({ last_fetch });
    await makeStream({ active: false, last_fetch: new Date("2026-05-01T10:00:00Z") });
    expect(await stats()).toMatchObject({
      total_streams: 2,
      active_streams: 1,
      last_fetch: last_fetch.toISOString(),
    });
  });

  test("compacts when more than 2000 changes are waiting", async () => {
    const change = (n: number) =>
      db.$executeRaw`INSERT INTO tally_delta (stream_id, state, n) SELECT 0, 'unreviewed', 1 FROM generate_series(1, ${n}::int)`;
    await change(2001);
    // Looked at once a second.
    const read = async () => [(await stats()).total_posts, await db.tally_delta.count()];
    await expect.poll(read, { timeout: 5_000 }).toEqual([2001, 0]);
    await change(5);
    expect((await stats()).total_posts).toBe(2006);
    expect(await db.tally_delta.count()).toBe(5);
  });
});

describe("GET /stats/posts", () => {
  test("lists the 20 largest hosts and the rest as other, before and after compaction", async () => {
    const host = (n: number) => `host${String(n).padStart(2, "0")}.example`;
    // Host n has n posts. The last change, which makes host01 the largest, is not compacted.
    for (let n = 1; n <= 23; n++) for (let i = 0; i < n; i++) await makePost({ instance: host(n) });
    await compacted();
    for (let i = 0; i < 30; i++) await makePost({ instance: host(1) });
    const gone = await db.post.findFirstOrThrow({ where: { instance: host(23) } });
    await db.post.delete({ where: { id: gone.id } });
    const { by_source, total_count } = await readStats<PostStats>(getPosts, "/stats/posts");
    expect(Object.keys(by_source)).toHaveLength(21);
    expect(Object.entries(by_source).slice(0, 4)).toEqual([
      [host(1), 31],
      [host(22), 22],
      [host(23), 22],
      [host(21), 21],
    ]);
    expect(by_source["other"]).toBe(2 + 3 + 4);
    expect(Object.values(by_source).reduce((a, b) => a + b, 0)).toBe(total_count);
  });
});

describe("GET /stats/streams", () => {
  test("counts a post for the stream of its first sighting; the lowest id wins ties", async () => {
    const last_fetch = new Date("2026-05-04T10:00:00Z");
    const [a, b, c, d] = [
      await makeStream({ last_fetch }),
      await makeStream(),
      await makeStream({ active: false }),
      await makeStream(),
    ];
    await makePending({ stream_id: b.id });
    await makePost({ stream_id: b.id, ...rejected() });
    await makePost({ stream_id: b.id });
    for (let i = 0; i < 3; i++) await makePost({ stream_id: d.id });
    const seen = await makePost({ stream_id: a.id });
    await db.sighting.create({ data: { post_id: seen.id, stream_id: c.id } });
    await makePost();
    const answer = await readStats<StreamStats>(getStreams, "/stats/streams");
    expect(answer).toMatchObject({
      total_streams: 4,
      active_streams: 3,
      inactive_streams: 1,
      total_posts_all_streams: 7,
      average_posts_per_stream: 1.75,
      most_active_stream: { id: b.id, hashtag: b.hashtag, post_count: 3 },
      least_active_stream: { id: c.id, hashtag: c.hashtag, post_count: 0 },
    });
    expect(answer.streams.map((line) => line.id)).toEqual([a.id, b.id, c.id, d.id]);
    expect(answer.streams[1]).toEqual({
      id: b.id,
      hashtag: b.hashtag,
      instance: "mastodon.example",
      active: true,
      post_count: 3,
      approved_count: 1,
      rejected_count: 1,
      unreviewed_count: 1,
      approval_rate: 33.33,
      approval_rate_of_decisions: 50,
      last_fetch: null,
    });
    expect(answer.streams[0]!.last_fetch).toBe("2026-05-04T10:00:00.000Z");
  });
});

describe("GET /stats/errors", () => {
  const errors = () => readStats<ErrorStats>(getErrors, "/stats/errors");

  test("groups failed posts by reason, the most frequent first, without requeued posts", async () => {
    expect(await errors()).toEqual({ groups: [], duplicates: [] });
    const posts = [];
    for (let i = 0; i < 4; i++) posts.push(await makePending());
    const yesterday = Date.parse(ago(24).toISOString().slice(0, 10));
    const at = (minute: number) => new Date(yesterday + minute * 60_000);
    await move(posts[0]!.id, "error", { error_reason: "Status not found", errored_at: at(1) });
    await move(posts[1]!.id, "error", { error_reason: "Other", errored_at: at(2) });
    await move(posts[2]!.id, "error", { error_reason: "Status not found", errored_at: at(3) });
    await move(posts[3]!.id, "error", { error_reason: "Status not found", errored_at: at(4) });
    await db.queue_entry.update({
      where: { post_id: posts[3]!.id },
      data: { state: "pending", error_reason: null, errored_at: null },
    });
    expect((await errors()).groups).toEqual([
      {
        reason: "Status not found",
        count: 2,
        first_at: at(1).toISOString(),
        last_at: at(3).toISOString(),
        post_ids: [posts[2]!.id, posts[0]!.id],
      },
      {
        reason: "Other",
        count: 1,
        first_at: at(2).toISOString(),
        last_at: at(2).toISOString(),
        post_ids: [posts[1]!.id],
      },
    ]);
  });

  test("lists at most 200 reasons", async () => {
    for (let i = 0; i < 3; i++) await makePending();
    await db.$executeRaw`UPDATE queue_entry SET state = 'error', errored_at = now(), error_reason = 'first'`;
    await db.$executeRaw`
      INSERT INTO post (uri, author_username, author_account, author_key, instance, created_at, approved, reviewed_at)
      SELECT 'https://e.example/' || n, 'e', '@e@e.example', 'e@e.example', 'e.example', now(), true, now()
        FROM generate_series(1, 300) n`;
    await db.$executeRaw`
      INSERT INTO queue_entry (post_id, state, approved_at, post_created_at, author_key, errored_at, error_reason)
      SELECT id, 'error', now(), now(), 'e@e.example', now(), CASE WHEN id % 3 = 0 THEN 'often' ELSE 'reason ' || id END
        FROM post WHERE instance = 'e.example'`;
    const { groups } = await errors();
    expect(groups).toHaveLength(200);
    expect(groups[0]).toMatchObject({ reason: "often", count: 100 });
    expect(groups[0]!.post_ids).toHaveLength(50);
  });
});

test("a key has its deliveries, errors, returned and timed-out posts; one that only returns them is no silent one", async () => {
  await makePending();
  const [key, other] = [await makeKey(), await makeKey()];
  const idOf = async (each: string) =>
    (await db.api_key.findUniqueOrThrow({ where: { key_hash: hashKey(each) } })).id;
  const take = async (each: string) => (await next(each)).json.fenliu_post_id;
  await settle("nack", other, await take(other));
  await db.$executeRaw`UPDATE queue_entry SET not_before = NULL`;
  expect(await listConsumingKeys()).toEqual([await idOf(other)]);
  await settle("nack", key, await take(key));
  await db.$executeRaw`UPDATE queue_entry SET not_before = NULL`;
  await ageReservation(await take(key), 3600);
  await db.$executeRaw`SELECT queue_sweep()`;
  await db.$executeRaw`UPDATE queue_entry SET not_before = NULL`;
  await compacted();
  await settle("error", key, await take(key));
  await makePending();
  await settle("ack", key, await take(key));
  await db.tally_delta.create({
    data: { event: "delivered", n: 8, api_key_id: await idOf(key), at: ago(31 * 24) },
  });
  const id = await idOf(key);
  const ofKey = (await listBotFigures(30)).find(({ api_key_id }) => api_key_id === id);
  expect(ofKey).toMatchObject({ delivered: 1, errors: 1 });
  const counts = (await keyRows(9)).map(({ event, n }) => `${event} ${n}`);
  expect(counts).toEqual([
    ...["delivered 9", "errors 1", "nacks 1", "timeouts 1"],
    ...["delivered 0", "errors 0", "nacks 1", "timeouts 0"],
  ]);
});
