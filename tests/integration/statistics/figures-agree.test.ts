import { beforeAll, expect, test } from "vitest";
import { GET as getPosts } from "#app/api/v1/posts/route.ts";
import { GET as getErrors } from "#app/api/v1/stats/errors/route.ts";
import { GET as getOverview } from "#app/api/v1/stats/overview/route.ts";
import { GET as getPostStats } from "#app/api/v1/stats/posts/route.ts";
import { GET as getStats } from "#app/api/v1/stats/route.ts";
import { GET as getStreamStats } from "#app/api/v1/stats/streams/route.ts";
import { sleep } from "#lib/base/clock.ts";
import { queueOverview } from "#lib/queue/queue-overview.ts";
import type { PostList } from "#lib/review/post-schema.ts";
import { metrics, metricsOf, type Metric } from "#lib/stats/metrics-schema.ts";
import type { Overview } from "#lib/stats/overview-schema.ts";
import type { ErrorStats, PostStats, Stats, StreamStats } from "#lib/stats/schema.ts";
import { makeKey, makeMember, makeStream, setSwitches } from "#tests/setup/factories.ts";
import { call, type RouteHandler } from "#tests/setup/request.ts";
import { HOUR, Walk } from "./counters-walk.ts";
import { changeAttributes, filters, readStored, type Stored } from "./figures-stored.ts";
import { forgetEverything } from "./stats-moves.ts";

/* All endpoints return the same value for a figure, equal to the stored posts and recorded events. */

let key: string;
let memberId: number;
beforeAll(async () => {
  memberId = (await makeMember()).id;
  key = await makeKey({ created_by: memberId });
});

async function get<Body>(handler: RouteHandler, path: string): Promise<Body> {
  const answer = await call<Body>(handler, { path: `/api/v1${path}`, key });
  expect(answer.status, path).toBe(200);
  return answer.json;
}

async function readAll() {
  const [stats, posts, streams, errors, overview, queue] = await Promise.all([
    get<Stats>(getStats, "/stats"),
    get<PostStats>(getPostStats, "/stats/posts"),
    get<StreamStats>(getStreamStats, "/stats/streams"),
    get<ErrorStats>(getErrors, "/stats/errors"),
    get<Overview>(getOverview, "/stats/overview?days=4"),
    queueOverview(),
  ]);
  return { stats, posts, streams, errors, overview, queue };
}
type All = Awaited<ReturnType<typeof readAll>>;

const sum = <Row>(rows: readonly Row[], of: (row: Row) => number) =>
  rows.reduce((before, row) => before + of(row), 0);

function flowsOf(walk: Walk, where: (hour: number, stream: number) => boolean = () => true) {
  const sums = new Map<string, number>();
  for (const [name, n] of Object.entries(walk.model.expected())) {
    const [hour = "", stream = "", event = ""] = name.split("/");
    if (where(Number(hour), Number(stream))) sums.set(event, (sums.get(event) ?? 0) + n);
  }
  return (metric: Metric | "nacks" | "timeouts") =>
    (metric === "nacks" || metric === "timeouts" ? [metric] : metrics[metric].events).reduce(
      (total, event) => total + (sums.get(event) ?? 0),
      0,
    );
}

function expectLevels({ stats, posts, streams, errors, queue }: All, stored: Stored[]): void {
  const count = (where: (post: Stored) => boolean) => stored.filter(where).length;
  const states = Object.fromEntries(
    ["pending", "reserved", "delivered", "error"].map((state) => [
      state,
      count((post) => post.state === state),
    ]),
  );
  const levels = {
    approved: count((post) => post.approved === true),
    rejected: count((post) => post.approved === false),
    unreviewed: count((post) => post.approved === null),
  };
  expect(stats).toMatchObject({
    total_posts: stored.length,
    approved_posts: levels.approved,
    rejected_posts: levels.rejected,
    unreviewed_posts: levels.unreviewed,
    queue_status: states,
  });
  expect(posts).toMatchObject({ total_count: stored.length, status: levels, by_queue_status: states });
  expect(posts.with_media).toBe(count((post) => post.media_count > 0));
  expect(posts.without_media).toBe(count((post) => post.media_count === 0));
  expect(sum(Object.values(posts.by_source), (n) => n)).toBe(stored.length);
  for (const [host, n] of Object.entries(posts.by_source)) {
    if (host !== "other") expect(n, host).toBe(count((post) => post.instance === host));
  }
  for (const stream of streams.streams) {
    const own = stored.filter((post) => post.stream_id === stream.id);
    expect(stream).toMatchObject({
      post_count: own.length,
      approved_count: own.filter((post) => post.approved === true).length,
      rejected_count: own.filter((post) => post.approved === false).length,
      unreviewed_count: own.filter((post) => post.approved === null).length,
    });
  }
  expect(queue.counts).toEqual(states);
  expect(queue.available + queue.kept_back + sum(queue.held, (each) => each.count)).toBe(states["pending"]);
  expect(queue.available).toBe(count((post) => post.pending_state === "eligible"));
  expect(queue.kept_back).toBe(count((post) => post.pending_state === "backoff"));
  expect(queue.upcoming).toHaveLength(Math.min(8, queue.available));
  expect(sum(errors.groups, (group) => group.count)).toBe(states["error"]);
}

function expectFlows({ stats, posts, overview, queue }: All, walk: Walk): void {
  const ever = flowsOf(walk);
  const allTime = metricsOf("all_time");
  expect(stats.all_time).toEqual(Object.fromEntries(allTime.map((metric) => [metric, ever(metric)])));
  expect(queue.all_time).toEqual({
    delivered: ever("delivered"),
    errors: ever("errors"),
    trimmed: ever("trimmed"),
    nacks: ever("nacks"),
    timeouts: ever("timeouts"),
  });
  const thisHour = Math.floor(Date.now() / HOUR) * HOUR;
  const today = flowsOf(walk, (hour) => hour > thisHour - 24 * HOUR);
  expect(posts).toMatchObject({
    posts_fetched_today: today("fetched"),
    posts_reviewed_today: today("reviewed"),
    posts_approved_today: today("approved"),
  });
  for (const { date, ...figures } of overview.days) {
    const flow = flowsOf(walk, (hour) => new Date(hour).toISOString().startsWith(date));
    expect(figures, date).toEqual(
      Object.fromEntries(metricsOf("day").map((metric) => [metric, flow(metric)])),
    );
  }

  // The range contains all events: the walk goes back 40 hours, the range three days.
  const { totals } = overview;
  const { trimmed: _, ...events } = stats.all_time;
  expect(totals).toMatchObject(events);
  expect(totals.decided).toBe(totals.approved + totals.rejected - totals.auto_rejected);
  for (const stream of overview.streams) {
    const flow = flowsOf(walk, (_hour, id) => id === stream.id);
    expect(stream, stream.hashtag).toMatchObject(
      Object.fromEntries(metricsOf("stream").map((metric) => [metric, flow(metric)])),
    );
  }
  expect(sum(overview.instances, (each) => each.fetched)).toBe(totals.fetched);
  expect(sum(overview.instances, (each) => each.decided)).toBeLessThanOrEqual(totals.decided);
  expect(sum(overview.reviewers, (each) => each.decided)).toBe(totals.decided);
  expect(sum(overview.reviewers, (each) => each.approved)).toBe(totals.approved);
  expect(sum(overview.reject_reasons, (each) => each.count)).toBe(totals.rejected - totals.auto_rejected);
  expect(overview.runway).toMatchObject({
    days: queue.runway_days,
    deliveries_per_day: queue.deliveries_per_day,
  });
}

async function expectTotals(stored: Stored[]): Promise<void> {
  for (const [query, has] of filters(stored)) {
    const { total } = await get<PostList>(getPosts, `/posts?limit=1&${query}`);
    expect(total, query).toBe(stored.filter(has).length);
  }
}

const often = (n: number, ...names: string[]) => Array.from({ length: n }, () => names).flat();
/** A history with all kinds of changes. */
const history = [
  ...often(30, "insert"),
  ...often(12, "review"),
  ...["attributes", "backOff", "hold", "switch", "reserve", "timeOut", "nack"],
  ...often(4, "ack", "error"),
  ...["requeue", "markDelivered", "cleanup", "remove", "trim", "edit", "compact"],
  ...often(6, "insert", "review"),
  ...["backOff", "hold", "deleteStream", "ack", "error", "reserve", "switch"],
];

test.each(process.env.TEST_SLOW ? [5, 6, 7, 8] : [5])(
  "all endpoints return the same figures after a history with seed %i",
  { timeout: 120_000 },
  async (seed) => {
    // Walk and database use different clocks, so a full hour must not pass.
    const left = HOUR - (Date.now() % HOUR);
    if (left < 20_000) await sleep(left);
    await forgetEverything();
    await setSwitches({ require_media: false });
    const walk = new Walk(seed, memberId, [(await makeStream()).id, (await makeStream()).id]);
    for (const name of history) await (walk.steps[name] ?? changeAttributes(name, seed))();
    const all = await readAll();
    const stored = await readStored();
    expectLevels(all, stored);
    expectFlows(all, walk);
    await expectTotals(stored);
    // counters.test.ts proves that the walk produces every event.
    expect(all.queue.counts.pending).toBeGreaterThan(0);
  },
);
