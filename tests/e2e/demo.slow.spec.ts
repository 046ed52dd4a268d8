import { expect, installationTest } from "#tests/setup/browser-test.ts";
import { query } from "#tests/setup/database.ts";
import { startWithAdmin } from "#tests/setup/installation.ts";
import { addDemoWeek } from "#tests/simulated-server/demo-week.ts";
import type { ErrorStats } from "#lib/stats/schema.ts";
import type { QueueOverview } from "#lib/queue/overview-schema.ts";
import type { Overview } from "#lib/stats/overview-schema.ts";

const BY_PEOPLE = "(approved OR NOT approved AND auto_reject_reason IS NULL)";
const hashtags = ["cats", "photography"];
const test = installationTest(() => startWithAdmin({ posts: 40, hashtags }, () => Promise.resolve({})));

test.beforeAll(async ({ installation: { app, databaseUrl, remote, session } }) => {
  test.setTimeout(300_000);
  await addDemoWeek({ url: app.url, databaseUrl, remote, admin: session, hashtags });
});

type Day = { date: string; n: number };

test("the figures of the demo's week are those of its posts, day by day", async ({ installation }) => {
  const { call, databaseUrl } = installation;
  const get = async <Body>(path: string) => (await call<Body>("GET", path)).json;
  const perDay = async (column: string, where: string) =>
    query<Day>(
      databaseUrl,
      `SELECT to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date, count(*)::int AS n
         FROM post p LEFT JOIN queue_entry q ON q.post_id = p.id WHERE ${where} GROUP BY 1 ORDER BY 1`,
    );
  const stored = {
    fetched: await perDay("fetched_at", "true"),
    decided: await perDay("reviewed_at", BY_PEOPLE),
    approved: await perDay("reviewed_at", "p.approved"),
    delivered: await perDay("delivered_at", "q.state = 'delivered'"),
    errors: await perDay("errored_at", "q.state = 'error'"),
  };
  const overview = await get<Overview>("/stats/overview?days=8");
  const { days } = overview;
  for (const [figure, rows] of Object.entries(stored)) {
    const shown = days
      .map((day) => ({ date: day.date, n: day[figure as keyof typeof stored] }))
      .filter(({ n }) => n > 0);
    expect(shown, figure).toEqual(rows);
    expect(rows.length, `days with ${figure}`).toBeGreaterThan(figure === "errors" ? 1 : 4);
  }

  const reasons = await query<{ id: number; count: number }>(
    databaseUrl,
    `SELECT reject_reason_id AS id, count(*)::int AS count FROM post
      WHERE approved IS FALSE AND auto_reject_reason IS NULL GROUP BY 1`,
  );
  const byId = (rows: readonly { id: number | null; count: number }[]) =>
    rows.map(({ id, count }) => [id, count]).sort();
  expect(byId(overview.reject_reasons)).toEqual(byId(reasons));
  expect(new Set(reasons.map(({ count }) => count)).size).toBeGreaterThan(2);
  const members = await query<{ reviewer: string; decided: number }>(
    databaseUrl,
    `SELECT reviewed_by AS reviewer, count(*)::int AS decided FROM post
      WHERE ${BY_PEOPLE} GROUP BY 1 ORDER BY 1`,
  );
  const reviewers = overview.reviewers.map(({ reviewer, decided }) => ({ reviewer, decided }));
  expect(reviewers.sort((a, b) => (a.reviewer < b.reviewer ? -1 : 1))).toEqual(members);
  expect(members).toHaveLength(2);
});

test("the demo has work for every page", async ({ installation }) => {
  const { call } = installation;
  const get = async <Body>(path: string) => (await call<Body>("GET", path)).json;
  const queue = await get<QueueOverview>("/curated/overview");
  expect(queue.available).toBeGreaterThan(0);
  expect(queue.held.length).toBeGreaterThan(0);
  expect(queue.all_time.nacks).toBeGreaterThan(0);
  const errors = await get<ErrorStats>("/stats/errors");
  expect(errors.groups.length).toBeGreaterThan(1);
  const total = async (filter: string) => (await get<{ total: number }>(`/posts?limit=1&${filter}`)).total;
  expect(await total("reviewed=false")).toBeGreaterThan(20);
  expect(await total("reviewed=false&ai_would_reject=true")).toBeGreaterThan(0);
  expect(await get("/profile")).toMatchObject({
    preferences: { saved_filters: [{ name: "With pictures" }] },
  });
  expect(await get("/reblog-controls/blocked-users")).toContainEqual(
    expect.objectContaining({ notes: "Only adverts" }),
  );
  expect(JSON.stringify(await get("/review/log?limit=100"))).toContain("Rita");
});
