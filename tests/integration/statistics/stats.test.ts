import { beforeEach, describe, expect, test } from "vitest";
import { GET as getOverview } from "#app/api/v1/stats/overview/route.ts";
import { GET as getErrors } from "#app/api/v1/stats/errors/route.ts";
import { GET as getPosts } from "#app/api/v1/stats/posts/route.ts";
import { GET as getStats } from "#app/api/v1/stats/route.ts";
import { GET as getStreams } from "#app/api/v1/stats/streams/route.ts";
import { db } from "#lib/db.ts";
import type { PostStats, Stats, StreamStats } from "#lib/stats/schema.ts";
import { makeKey, makePending, makePost, makeStream } from "#tests/setup/factories.ts";
import { call, type RouteHandler } from "#tests/setup/request.ts";
import { ago, compacted, forgetEverything, readStats, rejected } from "./stats-moves.ts";

beforeEach(forgetEverything);

const stats = () => readStats<Stats>(getStats, "/stats");

describe("GET /stats", () => {
  test("returns zeros and nulls for an empty database", async () => {
    const { created_at } = await db.installation.findFirstOrThrow();
    expect(await stats()).toEqual({
      total_posts: 0,
      approved_posts: 0,
      rejected_posts: 0,
      unreviewed_posts: 0,
      total_streams: 0,
      active_streams: 0,
      queue_status: { pending: 0, reserved: 0, delivered: 0, error: 0 },
      approval_rate: 0,
      approval_rate_of_decisions: 0,
      last_fetch: null,
      created_at: created_at.toISOString(),
      all_time: {
        fetched: 0,
        approved: 0,
        rejected: 0,
        auto_rejected: 0,
        delivered: 0,
        errors: 0,
        trimmed: 0,
      },
    });
  });

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

  test("compacts when more than 500 facts are waiting", async () => {
    await db.$executeRaw`INSERT INTO figure_delta (stream_id, state, n) SELECT 0, 'unreviewed', 1 FROM generate_series(1, 501)`;
    expect((await stats()).total_posts).toBe(501);
    expect(await db.figure_delta.count()).toBe(0);
    await db.$executeRaw`INSERT INTO figure_delta (stream_id, state, n) SELECT 0, 'unreviewed', 1 FROM generate_series(1, 5)`;
    expect((await stats()).total_posts).toBe(506);
    expect(await db.figure_delta.count()).toBe(5);
  });
});

describe("GET /stats/posts", () => {
  test("counts the current hour and the 23 before it as today", async () => {
    await makePost({ fetched_at: ago(23) });
    await makePost({ fetched_at: ago(24.001) });
    expect((await readStats<PostStats>(getPosts, "/stats/posts")).posts_fetched_today).toBe(1);
  });

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
  test("returns null for the most and least active stream without streams", async () => {
    expect(await readStats<StreamStats>(getStreams, "/stats/streams")).toEqual({
      total_streams: 0,
      active_streams: 0,
      inactive_streams: 0,
      streams: [],
      total_posts_all_streams: 0,
      average_posts_per_stream: 0,
      most_active_stream: null,
      least_active_stream: null,
    });
  });

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

  test("omits a deleted stream and keeps its posts in the totals", async () => {
    const [kept, gone] = [await makeStream(), await makeStream()];
    await makePost({ stream_id: gone.id });
    await compacted();
    await db.stream.delete({ where: { id: gone.id } });
    expect(await readStats<StreamStats>(getStreams, "/stats/streams")).toMatchObject({
      total_streams: 1,
      total_posts_all_streams: 0,
      most_active_stream: { id: kept.id },
      least_active_stream: { id: kept.id },
    });
    expect((await stats()).total_posts).toBe(1);
  });
});

describe("access to statistics", () => {
  test.each([
    ["/stats", getStats],
    ["/stats/posts", getPosts],
    ["/stats/streams", getStreams],
    ["/stats/errors", getErrors],
    ["/stats/overview", getOverview],
  ] as [string, RouteHandler][])("%s needs a key with the scope read", async (path, handler) => {
    expect((await call(handler, { path: `/api/v1${path}` })).status).toBe(401);
    const consumer = await makeKey({ scopes: ["consume"] });
    const answer = await call(handler, { path: `/api/v1${path}`, key: consumer });
    expect(answer).toMatchObject({ status: 403, json: { detail: "API key lacks the scope 'read'" } });
  });
});
