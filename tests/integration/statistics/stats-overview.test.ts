import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { GET as getOverview } from "#app/api/v1/stats/overview/route.ts";
import { db } from "#lib/db.ts";
import { countDropped } from "#lib/ingest/sql.ts";
import { addDays, type Overview } from "#lib/stats/overview-schema.ts";
import { bucketOf } from "#lib/stats/wait-buckets.ts";
import { makeKey, makeMember, makePending, makePost, makeStream } from "#tests/setup/factories.ts";
import { addEvents } from "#tests/setup/figures.ts";
import { call } from "#tests/setup/request.ts";
import { compacted, forgetEverything, move } from "./stats-moves.ts";

const MINUTE = 60_000;
const today = new Date().toISOString().slice(0, 10);
let key: string;

beforeAll(async () => {
  key = await makeKey({ scopes: ["read"] });
});
beforeEach(forgetEverything);

async function overview(query = ""): Promise<Overview> {
  const answer = await call<Overview>(getOverview, { path: `/api/v1/stats/overview${query}`, key });
  expect(answer.status).toBe(200);
  return answer.json;
}

/** Noon, so that some hours before or after are on the same day. */
const noon = (daysAgo: number) => new Date(`${addDays(today, -daysAgo)}T12:00:00Z`);
const later = (time: Date, minutes: number) => new Date(time.getTime() + minutes * MINUTE);
const decided = (daysAgo: number, minutes: number, approved: boolean, data: object = {}) =>
  makePost({ fetched_at: noon(daysAgo), reviewed_at: later(noon(daysAgo), minutes), approved, ...data });
/** Percentiles are accurate to one bucket, 19 %. */
const near = (seconds: number) => expect.closeTo(seconds, -Math.log10(seconds * 0.38)) as number;

test("GET /stats/overview waits for a concurrent compaction", async () => {
  await decided(0, 10, true);
  let asked: Promise<Overview> | undefined;
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(7105)`;
    asked = overview();
    const waiting = () =>
      db.$queryRaw<
        unknown[]
      >`SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 7105 AND NOT granted
                                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    await expect.poll(async () => (await waiting()).length, { timeout: 4_000 }).toBe(1);
  });
  expect((await asked)?.time_to_review.current.count).toBe(1);
});

describe("GET /stats/overview", () => {
  test("returns zeros and nulls for an empty database", async () => {
    const empty = { count: 0, p50: null, p90: null, p99: null };
    expect(await overview()).toMatchObject({
      range: { from: addDays(today, -6), to: today, days: 7 },
      previous: { from: addDays(today, -13), to: addDays(today, -7), days: 7 },
      time_to_review: { current: empty, previous: empty },
      reviewers: [],
      streams: [],
      instances: [],
      authors: { approved: 0, top_1_share: 0, top_10_share: 0, top: [] },
      funnel: { dropped: [], fetched: 0, held_now: [] },
      runway: {
        pending: 0,
        supply: 0,
        deliveries_per_day: 0,
        approvals_per_day: 0,
        days: null,
        runs_dry_at: null,
        with_approvals_runs_dry_at: null,
      },
    });
  });

  test("counts the range and the one before it, and no other days", async () => {
    await decided(0, 10, true);
    await decided(6, 10, false);
    await decided(7, 10, true);
    await decided(13, 10, true);
    await decided(14, 10, true);
    const { totals } = await overview();
    expect(totals.current).toMatchObject({
      fetched: 2,
      reviewed: 2,
      approved: 1,
      rejected: 1,
      decided: 2,
      approval_rate: 50,
    });
    expect(totals.previous).toMatchObject({
      fetched: 2,
      reviewed: 2,
      approved: 2,
      rejected: 0,
      approval_rate: 100,
    });
    expect(
      (await overview(`?from=${addDays(today, -14)}&to=${addDays(today, -14)}`)).totals.current.fetched,
    ).toBe(1);
  });

  test("lists two reviewers of the same name separately", async () => {
    const [anna, other] = [await makeMember(), await makeMember()];
    const by = (member: { id: number }, name: string) => ({
      reviewed_by: name,
      reviewed_by_member: member.id,
    });
    await decided(1, 2, true, by(anna, "Anna"));
    await decided(1, 2, true, by(anna, "Anna"));
    await decided(1, 2, false, by(anna, "Anna"));
    await decided(1, 60, false, by(other, "Anna"));
    await decided(1, 60, true, by(anna, "bot key"));
    const { reviewers } = await overview();
    expect(reviewers.map(({ member_id, reviewer, reviewed }) => [member_id, reviewer, reviewed])).toEqual([
      [anna.id, "Anna", 3],
      [other.id, "Anna", 1],
      [anna.id, "bot key", 1],
    ]);
    expect(reviewers[0]).toMatchObject({
      approved: 2,
      approval_rate: 66.67,
      time_to_review: { count: 3, p50: near(120) },
    });
    expect(reviewers[1]?.time_to_review.p50).toEqual(near(3600));
  });

  test("lists streams by number of fetched posts", async () => {
    const [quiet, busy] = [await makeStream(), await makeStream()];
    await decided(1, 10, true, { stream_id: busy.id });
    await decided(1, 20, false, { stream_id: busy.id });
    const { streams } = await overview();
    expect(streams.map((stream) => stream.id)).toEqual([busy.id, quiet.id]);
    expect(streams[0]).toMatchObject({
      hashtag: busy.hashtag,
      instance: "mastodon.example",
      fetched: 2,
      reviewed: 2,
      approved: 1,
      delivered: 0,
      approval_rate: 50,
      time_to_review: { count: 2, p50: near(600) },
      time_to_delivery: { count: 0 },
    });
  });

  test("computes the share of the top authors, and deletes an author on request", async () => {
    for (let day = 1; day <= 3; day++) await decided(day, 1, true, { author_username: "often" });
    for (let i = 0; i < 9; i++) await decided(1, 1, true);
    const { authors } = await overview();
    expect(authors).toMatchObject({ approved: 12, top_1_share: 25, top_10_share: 100 });
    expect(authors.top[0]).toEqual({ author: "@often@mastodon.example", approved: 3, share: 25 });
    await decided(1, 1, true, { author_username: "often" });
    await db.$executeRaw`SELECT forget_authors(ARRAY['often@mastodon.example'])`;
    const after = (await overview()).authors;
    expect(after.approved).toBe(13);
    expect(JSON.stringify(after)).not.toContain("often");
  });

  test("keeps authors for 190 days", async () => {
    await db.$executeRaw`
      INSERT INTO figure (dimension, grain, key, metric, at, bucket, n)
      SELECT 'author', 'day', 'day' || n, 'approved', (now() AT TIME ZONE 'UTC')::date - n, -1, 1 FROM generate_series(190, 191) n`;
    await compacted();
    const authors = await db.figure.findMany({ where: { dimension: "author" } });
    expect(authors.map((row) => row.key)).toEqual(["day190"]);
  });

  test("returns the funnel from seen to delivered, with reasons", async () => {
    await countDropped(db, new Map([1, 2, 3].map((n) => [`https://home.example/${n}`, "noindex"])));
    await countDropped(db, new Map([["https://home.example/4", "boost"]]));
    await decided(1, 0, false, { auto_reject_reason: "blocked_user" });
    await decided(1, 5, false);
    const [failed, held, twice] = [await makePending(), await makePending(), await makePending()];
    await move(failed.id, "error", { error_reason: "Status not found" });
    await db.queue_entry.updateMany({ where: { post_id: held.id }, data: { holds: 2 } });
    await db.queue_entry.updateMany({ where: { post_id: twice.id }, data: { holds: 2 + 64 } });
    const { funnel } = await overview();
    expect(funnel).toEqual({
      dropped: [
        { reason: "noindex", count: 3 },
        { reason: "boost", count: 1 },
      ],
      fetched: 5,
      auto_rejected: [{ reason: "blocked_user", count: 1 }],
      reviewed: 4,
      rejected: 1,
      approved: 3,
      trimmed: 0,
      errors: [{ reason: "Status not found", count: 1 }],
      delivered: 0,
      held_now: [{ reason: "blocked_hashtag", count: 2 }],
    });
  });

  test("divides the deliveries of the first day by one day", async () => {
    for (let i = 0; i < 5; i++) await makePending();
    for (const post of [await makePending(), await makePending()]) await move(post.id, "delivered");
    const { runway } = await overview();
    expect(runway).toMatchObject({ pending: 5, supply: 5, deliveries_per_day: 2, days: 2.5 });
    const dry = Date.parse(runway.runs_dry_at ?? "");
    expect(Math.abs(dry - Date.now() - 2.5 * 24 * 60 * MINUTE)).toBeLessThan(5 * MINUTE);
  });

  test("forecasts by the hour of the week, without held and refused posts", async () => {
    // The same hours of the week, 7 and 14 days ago.
    await addEvents("delivered", [
      [14 * 24 - 1, 2],
      [7 * 24 - 1, 4],
      [29 * 24, 100],
    ]);
    const posts = [];
    for (let i = 0; i < 5; i++) posts.push((await makePending()).id);
    await db.$executeRaw`UPDATE queue_entry SET holds = 8 WHERE post_id = ${posts[0]}`;
    await db.$executeRaw`UPDATE queue_entry SET not_before = now() + interval '1 hour' WHERE post_id = ${posts[1]}`;
    const { runway } = await overview();
    // One and a half a week, in the hour of the week that begins next.
    expect(runway).toMatchObject({ pending: 5, supply: 3, deliveries_per_day: 0.21 });
    expect(runway.days).toBeGreaterThan(6.9);
    expect(runway.days).toBeLessThan(7.2);
  });

  test.each([
    ["from=2026-05-04&to=2026-05-03", "to: must not be before from"],
    ["from=2026-01-01&to=2026-04-03", "from: must be at most 92 days before to"],
    ["from=2026-02-30", "from: must be a day such as 2026-05-04"],
    ["to=2026-05-04T10:00:00Z", "to: must be a day such as 2026-05-04"],
    ["to=", "to: must be a day such as 2026-05-04"],
  ])("refuses ?%s", async (query, detail) => {
    const answer = await call(getOverview, { path: `/api/v1/stats/overview?${query}`, key });
    expect(answer).toMatchObject({ status: 422, json: { detail: `Validation error: ${detail}` } });
  });

  test("accepts 92 days", async () => {
    expect((await overview("?from=2026-01-01&to=2026-04-02")).range.days).toBe(92);
  });
});

describe("GET /stats/overview", () => {
  test("requires the scope read", async () => {
    const consumer = await makeKey({ scopes: ["consume"] });
    for (const [handler, path] of [[getOverview, "overview"]] as const) {
      expect((await call(handler, { path: `/api/v1/stats/${path}` })).status).toBe(401);
      expect((await call(handler, { path: `/api/v1/stats/${path}`, key: consumer })).status).toBe(403);
    }
  });
});

test("wait_bucket() in SQL and bucketOf() compute the same bucket", async () => {
  const seconds = [-5, 0, 0.999, 1, 1.18, 1.19, 2, 3.5, 59, 60, 3600, 86_399, 604_800, 31_536_000, 1e9, 1e12];
  const rows = await db.$queryRaw<{ bucket: number }[]>`
    SELECT wait_bucket(s * interval '1 second') AS bucket FROM unnest(${seconds}::float8[]) WITH ORDINALITY u (s, n) ORDER BY n`;
  expect(rows.map((row) => row.bucket)).toEqual(seconds.map(bucketOf));
});
