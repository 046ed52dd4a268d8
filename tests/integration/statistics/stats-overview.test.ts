import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { GET as getPosts } from "#app/api/v1/posts/route.ts";
import { GET as getOverview } from "#app/api/v1/stats/overview/route.ts";
import { db } from "#lib/base/db.ts";
import { addDays, today } from "#lib/base/today.ts";
import { postsUrl } from "#lib/client/posts-url.ts";
import type { PostList } from "#lib/review/post-schema.ts";
import { metrics, metricsOf, type ListedMetric, type Metric } from "#lib/stats/metrics-schema.ts";
import type { Overview } from "#lib/stats/overview-schema.ts";
import { makeKey, makeMember, makePending, makePost } from "#tests/setup/factories.ts";
import { addEvents } from "#tests/setup/figures.ts";
import { call } from "#tests/setup/request.ts";
import { forgetEverything, move } from "./stats-moves.ts";

const MINUTE = 60_000;
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
const noon = (daysAgo: number) => new Date(`${addDays(today(), -daysAgo)}T12:00:00Z`);
const decided = (daysAgo: number, approved: boolean, data: object = {}) =>
  makePost({ fetched_at: noon(daysAgo), reviewed_at: noon(daysAgo), approved, ...data });

describe("GET /stats/overview", () => {
  test("lists two reviewers of the same name separately", async () => {
    const [anna, other] = [await makeMember(), await makeMember()];
    const by = (member: { id: number }, name: string) => ({
      reviewed_by: name,
      reviewed_by_member: member.id,
    });
    await decided(1, true, by(anna, "Anna"));
    await decided(1, true, by(anna, "Anna"));
    await decided(1, false, by(anna, "Anna"));
    await decided(1, false, by(other, "Anna"));
    await decided(1, true, by(anna, "bot key"));
    const { reviewers } = await overview();
    expect(reviewers.map(({ member_id, reviewer, decided: n }) => [member_id, reviewer, n])).toEqual([
      [anna.id, "Anna", 3],
      [other.id, "Anna", 1],
      [anna.id, "bot key", 1],
    ]);
    expect(reviewers[0]).toMatchObject({ approved: 2, approval_rate: 66.67 });
  });

  test("lists authors of stored posts, those with most approvals first", async () => {
    for (let day = 1; day <= 3; day++) await decided(day, day < 3, { author_username: "often" });
    const { author_account: gone, id } = await decided(1, true);
    expect((await overview()).authors.map(({ author }) => author)).toContain(gone);
    await db.post.delete({ where: { id } });
    expect((await overview()).authors).toEqual([
      { author: "@often@mastodon.example", decided: 3, approved: 2, approval_rate: 66.67 },
    ]);
  });

  test("each figure's list has as many posts as the figure says", async () => {
    await decided(0, true);
    await decided(2, false);
    await decided(1, false, { auto_reject_reason: "bot" });
    await decided(7, true);
    for (const state of ["delivered", "error"] as const) await move((await makePending()).id, state);
    const { totals, range } = await overview("?days=7");
    const isListed = (metric: Metric): metric is ListedMetric => metrics[metric].posts !== null;
    for (const metric of metricsOf("day").filter(isListed)) {
      const path = `/api/v1${postsUrl(metric, range)}&limit=1`;
      const { total } = (await call<PostList>(getPosts, { path, key })).json;
      expect([metric, total]).toEqual([metric, totals[metric]]);
      expect(total).toBeGreaterThan(0);
    }
  });

  test("divides the supply by the deliveries since the first one, without held and refused posts", async () => {
    for (let i = 0; i < 5; i++) await makePending();
    for (const post of [await makePending(), await makePending()]) await move(post.id, "delivered");
    const { runway } = await overview();
    expect(runway).toMatchObject({ supply: 5, deliveries_per_day: 2, days: 2.5 });
    const dry = Date.parse(runway.runs_dry_at ?? "");
    expect(Math.abs(dry - Date.now() - 2.5 * 24 * 60 * MINUTE)).toBeLessThan(5 * MINUTE);
    const [held, refused] = await db.queue_entry.findMany({ where: { state: "pending" }, take: 2 });
    await db.$executeRaw`UPDATE queue_entry SET holds = 8 WHERE post_id = ${held?.post_id}`;
    await db.$executeRaw`UPDATE queue_entry SET not_before = now() + interval '1 hour' WHERE post_id = ${refused?.post_id}`;
    await addEvents("delivered", [[4 * 24, 6]]);
    const later = (await overview()).runway;
    expect(later).toMatchObject({ supply: 3, pace_days: 4 });
    expect(later.deliveries_per_day).toBeCloseTo(2, 1);
  });
});
