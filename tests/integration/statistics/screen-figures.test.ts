import { createElement, type ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, describe, expect, test } from "vitest";
import { GET as getPosts } from "#app/api/v1/posts/route.ts";
import { Flow } from "#components/home/flow.tsx";
import { flowStages } from "#components/home/flow-stages.ts";
import { TeamPace } from "#components/home/team-pace.tsx";
import { queueState } from "#components/post/queue-state.ts";
import { QueueFigures } from "#components/queue/queue-figures.tsx";
import { MemberProvider } from "#components/shell/member-context.tsx";
import { LanguagesPanel, RejectionsPanel } from "#components/statistics/choice-panels.tsx";
import { DayCharts } from "#components/statistics/day-charts.tsx";
import { NowFigures, RangeFigures } from "#components/statistics/figures.tsx";
import { FunnelPanel } from "#components/statistics/funnel-panel.tsx";
import { AuthorsPanel, ReviewersPanel, StreamsAndServers } from "#components/statistics/people-panels.tsx";
import { RejectReasonsPanel } from "#components/statistics/reject-reasons-panel.tsx";
import { ForecastPanel } from "#components/statistics/work-panels.tsx";
import { formatCount, formatPercent } from "#components/words/format.ts";
import { db } from "#lib/db.ts";
import { listPostsOfQuery } from "#lib/posts/list-posts.ts";
import type { PostList } from "#lib/posts/schema.ts";
import { enqueuePosts } from "#lib/queue/queue-entries.ts";
import type { QueueSupply } from "#lib/queue/overview-schema.ts";
import { queueOverview } from "#lib/queue/queue-overview.ts";
import { getOverview } from "#lib/stats/get-overview.ts";
import { getStats, listDays } from "#lib/stats/get-stats.ts";
import { addDays } from "#lib/stats/overview-schema.ts";
import { getTeamPace, type TeamPace as Pace } from "#lib/stats/team-pace.ts";
import { makeKey, makeMember, makePost, makeStream } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";
import { ago, forgetEverything, move } from "./stats-moves.ts";

/* Every figure of a screen with a list of posts is the number of posts in that list, on the first day of a service. */

const today = new Date().toISOString().slice(0, 10);
const range = { from: addDays(today, -6), to: today };
let key: string;
let reason: number;
let me: Awaited<ReturnType<typeof makeMember>>;

/** Number of posts by outcome. */
const outcomes = {
  unreviewed: 4,
  rejected: 3,
  filtered: 3,
  pending: 6,
  held: 1,
  reserved: 2,
  expired: 3,
  delivered: 5,
  error: 1,
};
type Outcome = keyof typeof outcomes;

async function addPost(outcome: Outcome, stream_id: number, nth: number): Promise<void> {
  const at = new Date();
  const isApproved = !["unreviewed", "rejected", "filtered"].includes(outcome);
  const { id } = await makePost({
    stream_id,
    language: "en",
    fetched_at: ago(0.01),
    ...(outcome === "unreviewed"
      ? {}
      : {
          approved: isApproved,
          reviewed_at: at,
          ...(isApproved ? { approved_at: at } : {}),
          ...(outcome === "filtered"
            ? { auto_reject_reason: nth === 0 ? "bot" : "blocked_user" }
            : { reviewed_by: me.name, reviewed_by_member: me.id }),
          ...(outcome === "rejected" && nth > 0 ? { reject_reason_id: reason } : {}),
        }),
  });
  if (!isApproved) return;
  await db.$transaction((tx) => enqueuePosts(tx, [id], at));
  if (outcome === "held") await db.$executeRaw`UPDATE queue_entry SET holds = 8 WHERE post_id = ${id}`;
  if (outcome === "expired") {
    await move(id, "reserved");
    await db.queue_entry.update({ where: { post_id: id }, data: { lease_expires_at: ago(0.01) } });
  }
  if (outcome === "reserved" || outcome === "delivered" || outcome === "error") await move(id, outcome);
}

beforeAll(async () => {
  await forgetEverything();
  key = await makeKey();
  me = await makeMember();
  reason = (await db.reject_reason.findFirstOrThrow()).id;
  const { id: stream } = await makeStream();
  for (const [outcome, n] of Object.entries(outcomes))
    for (let i = 0; i < n; i++) await addPost(outcome as Outcome, stream, i);
});

const stagesOf = (pace: Pace, supply: QueueSupply) =>
  flowStages({
    role: "admin",
    now: Date.now(),
    day: today,
    streams: 1,
    active: [],
    isOverdue: false,
    unreviewed: outcomes.unreviewed,
    supply,
    today: pace.today,
    failures: outcomes.error,
    recentDeliveries: 5,
    hasKey: true,
  });

const html = (element: ReactElement) =>
  renderToStaticMarkup(
    createElement(MemberProvider, {
      member: { id: me.id, name: me.name, email: me.email, role: "admin", single_keys: true },
      children: element,
    }),
  );

/** Links of a page to lists of posts, with the text of the figure. */
function linksIn(markup: string): { href: string; text: string }[] {
  return [...markup.matchAll(/<a\b[^>]*href="(\/posts[^"]*)"[^>]*>(.*?)<\/a>/gs)].map(
    ([, href, inner = ""]) => ({
      href: (href ?? "").replaceAll("&amp;", "&"),
      text: (/data-figure="[^"]*"[^>]*>([^<]*)</.exec(inner)?.[1] ?? inner.replace(/<[^>]*>/g, "")).trim(),
    }),
  );
}

async function total(href: string): Promise<number> {
  const url = new URL(href, "http://x");
  url.searchParams.set("limit", "1");
  const answer = await call<PostList>(getPosts, { path: `/api/v1${url.pathname}${url.search}`, key });
  expect(answer.status, href).toBe(200);
  return answer.json.total;
}

/** @returns texts of the figures, by their lists */
async function expectEqualLists(element: ReactElement): Promise<Map<string, string>> {
  const links = linksIn(html(element)).filter(({ text }) =>
    /^\d[\d,]*( %|( before| decided today| rejected by a filter| held| failed deliver(y|ies)))?$/.test(text),
  );
  expect(links.length).toBeGreaterThan(0);
  for (const { href, text } of links) {
    const listed = await total(href);
    if (text.endsWith(" %"))
      expect(formatPercent((100 * (await total(`${href}&approved=true`))) / listed), href).toBe(text);
    else expect(/^[\d,]+/.exec(text)?.[0], href).toBe(formatCount(listed));
  }
  return new Map(links.map(({ href, text }) => [href, text]));
}

describe("every figure with a list has as many posts as the list", () => {
  const screens: Record<string, () => Promise<ReactElement>> = {
    "Statistics, range": async () => createElement(RangeFigures, { overview: await getOverview(range) }),
    "Statistics, stored now": async () => createElement(NowFigures, { stats: await getStats() }),
    "Statistics, from fetch to delivery": async () =>
      createElement(FunnelPanel, { overview: await getOverview(range) }),
    "Statistics, rejections by filters": async () =>
      createElement(RejectionsPanel, { overview: await getOverview(range) }),
    "Statistics, rejections by reason": async () =>
      createElement(RejectReasonsPanel, { overview: await getOverview(range) }),
    "Statistics, days": async () => createElement(DayCharts, { days: await listDays(range) }),
    "Statistics, streams and servers": async () =>
      createElement(StreamsAndServers, { overview: await getOverview(range) }),
    "Statistics, languages": async () =>
      createElement(LanguagesPanel, { overview: await getOverview(range) }),
    "Statistics, authors": async () => createElement(AuthorsPanel, { overview: await getOverview(range) }),
    "Statistics, reviewers": async () =>
      createElement(ReviewersPanel, { overview: await getOverview(range) }),
    Queue: async () => createElement(QueueFigures, { overview: await queueOverview() }),
    "Home, stages": async () =>
      createElement(Flow, { stages: stagesOf(await getTeamPace(today), await queueOverview()) }),
    "Home, team pace": async () =>
      createElement(TeamPace, { pace: await getTeamPace(today), memberId: me.id }),
  };

  test("streams have their errors", async () => {
    const shown = await expectEqualLists(
      createElement(StreamsAndServers, { overview: await getOverview(range) }),
    );
    const errors = [...shown].filter(([href]) => /happened=errored.*stream_id=/.test(href));
    expect(errors.map(([, text]) => text)).toEqual(["1"]);
  });

  test("rejections are listed by day and filter, and by reason", async () => {
    const overview = await getOverview(range);
    const byFilter = await expectEqualLists(createElement(RejectionsPanel, { overview }));
    const today = [...byFilter].filter(([href]) => href.includes(`since=${range.to}`));
    expect(today.map(([, text]) => text)).toEqual(["3", "2", "1"]);
    const byReason = await expectEqualLists(createElement(RejectReasonsPanel, { overview }));
    expect([...byReason.values()]).toEqual(["2", "1"]);
  });

  test.each(Object.entries(screens))("%s", async (_name, screen) => {
    await expectEqualLists(await screen());
  });
});

describe("on the first day", () => {
  test("waiting for a bot includes the posts that a bot has", async () => {
    const overview = await getOverview(range);
    expect(overview.outcomes.waiting).toBe(6 + 1 + 2 + 3);
    const shown = await expectEqualLists(createElement(FunnelPanel, { overview }));
    const [waiting] = [...shown].filter(([href]) => href.includes("queue_status=waiting"));
    expect(waiting?.[1]).toBe("12");
  });

  test("an expired reservation counts as ready and as timed out, and not as reserved", async () => {
    const [queue, stats] = [await queueOverview(), await getStats()];
    expect(queue).toMatchObject({ available: 6 + 3, counts: { pending: 7 + 3, reserved: 2 } });
    expect(queue.all_time.timeouts).toBe(3);
    expect(queue.reservations).toHaveLength(2);
    expect(queue.upcoming).toHaveLength(9);
    expect(stats.queue_status).toMatchObject({ pending: 7, reserved: 2 + 3 });
    const { runway } = await getOverview(range);
    expect(runway).toMatchObject({ pending: 7 + 3, supply: 6 + 3 });
    const { items } = (await listPostsOfQuery("queue_status=reserved")) as PostList;
    expect(items.filter((post) => queueState(post) === "pending")).toHaveLength(3);
    expect(items.filter((post) => queueState(post) === "reserved")).toHaveLength(2);
    const shown = await expectEqualLists(createElement(QueueFigures, { overview: queue }));
    expect(shown.get("/posts?queue_status=ready")).toBe("9");
    expect(shown.get("/posts?queue_status=with_bot")).toBe("2");
    const stream = (await db.stream.findFirstOrThrow()).id;
    for (const narrow of [`&stream_id=${stream}`, "&language=en", "&happened=fetched&since=2020-01-01"])
      expect(await total(`/posts?queue_status=ready${narrow}`), narrow).toBe(9);
  });

  test("the approval rate and Decided leave out rejections by filters", async () => {
    const overview = await getOverview(range);
    expect(overview.totals.current).toMatchObject({ decided: 21, reviewed: 24, approved: 18 });
    const markup = html(createElement(RangeFigures, { overview }));
    expect(markup).toContain('data-figure="decided"');
    expect(markup).not.toContain('data-figure="reviewed"');
    const now = linksIn(html(createElement(NowFigures, { stats: await getStats() })));
    const rate = now.find(({ text }) => text.endsWith(" %"));
    expect(rate).toMatchObject({ text: formatPercent((100 * 18) / 21) });
    expect(await total(rate?.href ?? "")).toBe(21);
  });

  test("new today and the arrivals of seven days are one figure", async () => {
    const [pace, supply] = [await getTeamPace(today), await queueOverview()];
    const home = html(createElement(Flow, { stages: stagesOf(pace, supply) }));
    expect(home).toMatch(/data-figure="new_posts"[^>]*>25</);
    expect(home).toContain("3 rejected by a filter");
    expect(home).toContain("21 decided today");
    expect(html(createElement(TeamPace, { pace, memberId: me.id })).replace(/<[^>]*>/g, "")).toContain(
      "25 arrived and 21 decided in seven days",
    );
  });

  test("the decisions a day of a new member are those of the first day", async () => {
    const markup = html(createElement(TeamPace, { pace: await getTeamPace(today), memberId: me.id }));
    const cell = /<td data-figure="decided_per_day".*?<\/td>/s.exec(markup)?.[0] ?? "";
    expect(cell.replace(/<[^>]*>/g, "")).toBe("21");
  });

  test("queue, home and statistics name one pace and one length of the queue", async () => {
    const [overview, queue] = [await getOverview(range), await queueOverview()];
    expect(overview.runway).toMatchObject({
      approvals_per_day: overview.totals.current.approved,
      deliveries_per_day: queue.deliveries_per_day,
      pace_days: queue.pace_days,
      days: queue.runway_days,
    });
    const length = /data-figure="runway_days"[^>]*>([^<]+)</.exec(
      html(createElement(QueueFigures, { overview: queue })),
    )?.[1];
    expect(length).toMatch(/^\d+ (days?|hr.*)$/);
    expect(html(createElement(ForecastPanel, { overview }))).toContain(`(${length})`);
  });
});
