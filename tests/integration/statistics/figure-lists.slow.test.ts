import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { GET as getPosts } from "#app/api/v1/posts/route.ts";
import { byPeople, byReviewer, figureList, waitList } from "#lib/client/figure-lists.ts";
import type { ListedMetric } from "#lib/stats/metrics-schema.ts";
import { db } from "#lib/db.ts";
import type { PostList } from "#lib/posts/schema.ts";
import { enqueuePosts } from "#lib/queue/queue-entries.ts";
import { getDailyStats } from "#lib/stats/get-stats.ts";
import { getOverview } from "#lib/stats/get-overview.ts";
import { addDays, type DayRange, type Overview } from "#lib/stats/overview-schema.ts";
import { makeKey, makePost, makeStream } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";
import { forgetEverything, move } from "./stats-moves.ts";

/*
 * A figure's list has as many posts as the figure says, also for events at the limits of a day, unless posts
 * were deleted or undone.
 */

let key: string;
beforeAll(async () => {
  key = await makeKey();
});

async function totalBehind(href: string): Promise<number> {
  const answer = await call<PostList>(getPosts, { path: `/api/v1${href}&limit=1`, key });
  expect(answer.status, href).toBe(200);
  expect(answer.json.items.length, href).toBe(Math.min(1, answer.json.total));
  return answer.json.total;
}

const DAYS = 5;
const today = new Date().toISOString().slice(0, 10);
const moment = fc
  .tuple(
    fc.integer({ min: 0, max: DAYS - 1 }),
    fc.oneof(fc.constantFrom(0, 86_399_999), fc.integer({ min: 0, max: 86_399_999 })),
  )
  .map(([back, millisecond]) => new Date(Date.parse(addDays(today, -back)) + millisecond));

const LONG_REASON = "No such thing. ".repeat(30);
const happening = fc.record({
  fetched: moment,
  stream: fc.nat({ max: 2 }),
  author: fc.nat({ max: 3 }),
  decided: fc.option(
    fc.record({
      at: moment,
      by: fc.constantFrom(
        ...[
          { reviewed_by: "Ann", reviewed_by_member: 1 },
          { reviewed_by: "Ann’s bot", reviewed_by_member: 1 },
          { reviewed_by: "Ann & Bo", reviewed_by_member: 2 },
          { reviewed_by: "somebody", reviewed_by_member: null },
        ],
      ),
      how: fc.constantFrom("approved", "delivered", "error", "rejected", "blocked_user", "bot"),
      settled: moment,
      reason: fc.constantFrom("gone", "not found", LONG_REASON),
    }),
    { freq: 6 },
  ),
});
type Happening = typeof happening extends fc.Arbitrary<infer Value> ? Value : never;

async function happen({ fetched, stream, author, decided }: Happening, streams: number[]): Promise<void> {
  const host = `host${author % 2}.example`;
  const isApproved = ["approved", "delivered", "error"].includes(decided?.how ?? "");
  const byFilter = decided?.how === "blocked_user" || decided?.how === "bot";
  const { id } = await makePost({
    fetched_at: fetched,
    stream_id: streams[stream] ?? null,
    author_username: `author${author}`,
    instance: host,
    ...(decided && {
      approved: isApproved,
      reviewed_at: decided.at,
      ...(isApproved ? { approved_at: decided.at } : {}),
      ...(byFilter ? { auto_reject_reason: decided.how } : decided.by),
    }),
  });
  if (!decided || !isApproved) return;
  await db.$transaction((tx) => enqueuePosts(tx, [id], decided.at));
  if (decided.how === "delivered") await move(id, "delivered", { delivered_at: decided.settled });
  if (decided.how === "error")
    await move(id, "error", { errored_at: decided.settled, error_reason: decided.reason });
}

interface Linked {
  name: string;
  figure: number;
  href: string;
}

function linkedFigures(overview: Overview, range: DayRange): Linked[] {
  const linked: Linked[] = [];
  const link = (name: string, figure: number, flow: ListedMetric, narrow = {}, days = range) =>
    linked.push({ name: `${name} ${flow}`, figure, href: figureList(flow, days, narrow) });
  const { totals, funnel } = overview;
  for (const flow of ["fetched", "reviewed", "approved", "rejected", "delivered", "errors"] as const) {
    link("total", totals.current[flow], flow);
    link("before", totals.previous[flow], flow, {}, overview.previous);
  }
  link("people", funnel.reviewed, "reviewed", byPeople);
  for (const each of funnel.auto_rejected)
    link(each.reason, each.count, "rejected", { auto_reject_reason: each.reason });
  for (const each of funnel.errors) link(each.reason, each.count, "errors", { error_reason: each.reason });
  for (const line of overview.streams) {
    for (const flow of ["fetched", "reviewed", "approved", "delivered", "errors"] as const)
      link(`stream ${line.id}`, line[flow], flow, { stream_id: line.id });
  }
  for (const line of overview.instances) {
    link(line.instance, line.fetched, "fetched", { instance: line.instance });
    link(line.instance, line.reviewed, "reviewed", { instance: line.instance, ...byPeople });
    link(line.instance, line.approved, "approved", { instance: line.instance });
    link(line.instance, line.delivered, "delivered", { instance: line.instance });
  }
  for (const line of overview.reviewers) {
    link(line.reviewer, line.reviewed, "reviewed", byReviewer(line));
    link(line.reviewer, line.approved, "approved", byReviewer(line));
  }
  for (const each of overview.authors.top)
    link(each.author, each.approved, "approved", { author: each.author });
  return linked;
}

describe("the list of a figure", () => {
  test("has as many posts as the figure says", { timeout: 120_000 }, async () => {
    const met = new Set<string>();
    const ends = fc.tuple(fc.nat({ max: DAYS - 1 }), fc.nat({ max: DAYS - 1 }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(happening, { minLength: 20, maxLength: 40, size: "max" }),
        ends,
        async (happenings, [a, b]) => {
          await forgetEverything();
          const streams = [(await makeStream()).id, (await makeStream()).id];
          for (const each of happenings) await happen(each, streams);
          const range = { from: addDays(today, -Math.max(a, b)), to: addDays(today, -Math.min(a, b)) };
          const linked = linkedFigures(await getOverview(range), range);
          const { days } = await getDailyStats(DAYS);
          for (const { date, ...figures } of days) {
            for (const [flow, figure] of Object.entries(figures))
              linked.push({
                name: `day ${flow}`,
                figure,
                href: figureList(flow as ListedMetric, { from: date, to: date }),
              });
          }
          for (const { name, figure, href } of linked) {
            expect(await totalBehind(href), `${name}: ${href}`).toBe(figure);
            if (figure > 0) met.add(name.replace(/\d+/g, ""));
          }
        },
      ),
      { numRuns: 6, endOnFailure: true },
    );
    // Every compared figure was above zero.
    for (const name of ["total errors", "before delivered", "people reviewed", "bot rejected", "day errors"])
      expect([...met]).toContain(name);
    expect([...met]).toContain("Ann & Bo approved");
    expect([...met]).toContain(`${LONG_REASON.slice(0, 200)} errors`);
  });

  test("has the posts that waited longer than a percentile", async () => {
    await forgetEverything();
    const at = new Date(Date.parse(today));
    for (const seconds of [10, 100, 1_000, 10_000]) {
      const { id } = await makePost({
        fetched_at: new Date(at.getTime() - seconds * 1000),
        approved: true,
        reviewed_at: at,
        approved_at: at,
      });
      await db.$transaction((tx) => enqueuePosts(tx, [id], at));
      await move(id, "delivered", { delivered_at: new Date(at.getTime() + seconds * 1000) });
    }
    // Rejections by filters have no waiting time.
    await makePost({
      fetched_at: new Date(0),
      approved: false,
      reviewed_at: at,
      auto_reject_reason: "bot",
    });
    const range = { from: today, to: today };
    const { time_to_review, time_to_delivery } = await getOverview(range);
    for (const [kind, { current }] of [
      ["review", time_to_review],
      ["delivery", time_to_delivery],
    ] as const) {
      expect(current.count).toBe(4);
      expect(await totalBehind(waitList(kind, range, 0) ?? "")).toBe(4);
      const half = await totalBehind(waitList(kind, range, current.p50) ?? "");
      expect(half).toBeGreaterThanOrEqual(2);
      expect(half).toBeLessThanOrEqual(3);
      expect(await totalBehind(waitList(kind, range, current.p99) ?? "")).toBeLessThanOrEqual(1);
    }
    expect(waitList("review", range, null)).toBeNull();
  });
});
