import type { Page } from "@playwright/test";
import { words } from "#components/words/en.ts";
import {
  formatClock,
  formatCount,
  formatDay,
  formatDuration,
  formatPercent,
} from "#components/words/format.ts";
import { figures, type FigureName } from "#lib/figures-schema.ts";
import type { Post } from "#lib/posts/schema.ts";
import type { QueueOverview } from "#lib/queue/overview-schema.ts";
import type { Author } from "#lib/review/author-schema.ts";
import { metricsOf } from "#lib/stats/metrics-schema.ts";
import type { Overview } from "#lib/stats/overview-schema.ts";
import type { Stats } from "#lib/stats/schema.ts";
import type { Stream } from "#lib/streams/schema.ts";
import { apiCaller, throwOnError } from "#tests/setup/api-client.ts";
import { expect, panelOf, signedInTest } from "#tests/setup/browser-test.ts";
import { startWithSampleData, type SampleInstallation } from "#tests/setup/installation.ts";

/* Every figure with a definition, on every page that has any, is the one of the API and has its definition beside it. */

const test = signedInTest(async () => {
  const installation = await startWithSampleData();
  await addSecondReviewer(installation);
  return installation;
});
test.use({ trace: "off" });

/** A figure on a page: name of its row or "", its definition, its text. */
type Mark = [row: string, figure: FigureName, text: string];

/** Rejects a post of the first reviewer and decides others. */
async function addSecondReviewer({ app, call }: SampleInstallation): Promise<void> {
  const { json: key } = await call<{ api_key: string }>("POST", "/api-keys/generate", {
    name: "Second reviewer",
    scopes: ["read", "review"],
  });
  const review = throwOnError(apiCaller(app.url, { "x-api-key": key.api_key }));
  const pending = await call<{ items: Post[] }>("GET", "/posts?queue_status=pending&limit=2");
  const open = await call<{ items: Post[] }>("GET", "/posts?reviewed=false&limit=3");
  for (const { id } of [...pending.json.items, ...open.json.items])
    await review("POST", `/posts/${id}/review`, { approved: false });
}

const rate = (decided: number, percent: number) => (decided === 0 ? "–" : formatPercent(percent));
const duration = (seconds: number | null) => (seconds === null ? "–" : formatDuration(Math.round(seconds)));

type Read = <Body>(path: string) => Promise<Body>;

async function onHome(read: Read): Promise<Mark[]> {
  const day = new Date().toISOString().slice(0, 10);
  const today = await read<Overview>(`/stats/overview?from=${day}&to=${day}`);
  const week = await read<Overview>("/stats/overview");
  const lastHour = async (reviewer: string) => {
    const path = `/posts?reviewed=true&reviewed_by=${encodeURIComponent(reviewer)}&limit=1000`;
    const { items } = await read<{ items: Post[] }>(path);
    return items.filter((post) => Date.now() - Date.parse(post.reviewed_at ?? "") < 3_600_000).length;
  };
  const hours = await Promise.all(week.reviewers.map(({ reviewer }) => lastHour(reviewer)));
  return [
    ["", "new_posts", formatCount(today.outcomes.stored - today.outcomes.auto_rejected)],
    ["", "unreviewed", formatCount((await read<Stats>("/stats")).unreviewed_posts)],
    ["", "available", formatCount((await read<QueueOverview>("/curated/overview")).available)],
    ["", "delivered", formatCount(today.totals.current.delivered)],
    ...week.reviewers.flatMap(({ reviewer, reviewed }, at): Mark[] => [
      [reviewer, "decided_last_hour", formatCount(hours[at])],
      [
        reviewer,
        "decided",
        formatCount(today.reviewers.find((each) => each.reviewer === reviewer)?.reviewed ?? 0),
      ],
      [reviewer, "decided_per_day", formatCount(reviewed)],
    ]),
  ];
}

async function onQueue(read: Read): Promise<Mark[]> {
  const { available, counts, runway_days: days } = await read<QueueOverview>("/curated/overview");
  return [
    ["", "available", formatCount(available)],
    ["", "reserved", formatCount(counts.reserved)],
    ["", "stored_delivered", formatCount(counts.delivered)],
    ["", "stored_errors", formatCount(counts.error)],
    ["", "runway_days", days === null ? "–" : formatDuration(days * 86_400)],
  ];
}

async function onStreams(read: Read): Promise<Mark[]> {
  const { items } = await read<{ items: Stream[] }>("/streams?limit=1000");
  return items.flatMap((stream): Mark[] => {
    const row = `#${stream.hashtag} ${stream.instance}`;
    return [
      [row, "unreviewed", formatCount(stream.unreviewed_count)],
      [row, "stored", formatCount(stream.post_count)],
      [row, "approval_rate", formatPercent(stream.approval_rate)],
    ];
  });
}

async function onStream(read: Read, id: number): Promise<Mark[]> {
  const stream = await read<Stream>(`/streams/${id}`);
  return [
    ["", "unreviewed", formatCount(stream.unreviewed_count)],
    ["", "stored", formatCount(stream.post_count)],
    ["", "stored_approved", formatCount(stream.approved_count)],
    ["", "stored_rejected", formatCount(stream.rejected_count)],
    ["", "approval_rate", formatPercent(stream.approval_rate)],
  ];
}

async function onAuthor(read: Read, account: string): Promise<Mark[]> {
  const author = await read<Author>(`/authors/${encodeURIComponent(account)}`);
  const decided = author.approved + author.rejected - author.auto_rejected;
  return [
    ["", "stored", formatCount(author.posts)],
    ["", "stored_approved", formatCount(author.approved)],
    ["", "stored_rejected", formatCount(author.rejected)],
    ["", "unreviewed", formatCount(author.unreviewed)],
    ["", "approval_rate", rate(decided, (100 * author.approved) / decided)],
  ];
}

async function onStatistics(read: Read): Promise<Mark[]> {
  const overview = await read<Overview>("/stats/overview");
  const stats = await read<Stats>("/stats");
  return [
    ...answers(overview, stats),
    ...totals(overview, stats),
    ...sources(overview),
    ...people(overview),
    ...overview.bots.flatMap(({ name, active, ...bot }): Mark[] => {
      const row = active ? name : `${name} ${words.statistics.botInactive}`;
      return [
        [row, "bot_last_seen", bot.last_seen_at ?? words.common.never],
        [row, "bot_deliveries_per_day", formatCount(bot.deliveries_per_day)],
        [row, "bot_delivered", formatCount(bot.delivered)],
        [row, "bot_errors", formatCount(bot.errors)],
        [row, "bot_error_share", rate(bot.delivered + bot.errors, bot.error_share)],
        [row, "bot_age", duration(bot.age.p50)],
        [row, "bot_age", duration(bot.age.p90)],
      ];
    }),
  ];
}

function answers({ runway, hours }: Overview, stats: Stats): Mark[] {
  const sum = (of: "arrivals" | "decisions") => hours.reduce((all, each) => all + each[of], 0);
  const more = sum("arrivals") - sum("decisions");
  const later = runway.with_approvals_runs_dry_at;
  const when = (time: number) => `${formatDay(time, "UTC")}, ${formatClock(time, "UTC")}`;
  return [
    ["", "deliveries_per_day", formatCount(runway.deliveries_per_day)],
    ["", "approvals_per_day", formatCount(runway.approvals_per_day)],
    [
      "",
      "supply_with_approvals",
      later === null ? words.statistics.lastsWithApprovals : when(Date.parse(later)),
    ],
    ["", "arrivals", formatCount(sum("arrivals"))],
    ["", "hourly_decisions", formatCount(sum("decisions"))],
    ["", "backlog_change", `${more > 0 ? "+" : ""}${formatCount(more)}`],
    ["", "unreviewed", formatCount(stats.unreviewed_posts)],
  ];
}

/** The range, and the posts that are stored now. */
function totals({ totals: { current } }: Overview, stats: Stats): Mark[] {
  return [
    ...metricsOf("range").map((metric): Mark => ["", metric, formatCount(current[metric])]),
    ["", "approval_rate", rate(current.decided, current.approval_rate)],
    ["", "stored", formatCount(stats.total_posts)],
    ["", "unreviewed", formatCount(stats.unreviewed_posts)],
    ["", "stored_approved", formatCount(stats.approved_posts)],
    ["", "stored_rejected", formatCount(stats.rejected_posts)],
    ["", "stored_delivered", formatCount(stats.queue_status.delivered)],
    ["", "approval_rate", formatPercent(stats.approval_rate_of_decisions)],
  ];
}

function sources({ streams, instances, languages }: Overview): Mark[] {
  const names = new Intl.DisplayNames("en", { type: "language", fallback: "code" });
  return [
    ...streams.flatMap((line): Mark[] => {
      const row = `#${line.hashtag} ${line.instance}`;
      return [
        [row, "fetched", formatCount(line.fetched)],
        [row, "decided", formatCount(line.decided)],
        [row, "approved", formatCount(line.approved)],
        [row, "approval_rate", rate(line.decided, line.approval_rate)],
        [row, "delivered", formatCount(line.delivered)],
        [row, "errors", formatCount(line.errors)],
      ];
    }),
    ...instances.flatMap((line): Mark[] => [
      [line.instance, "fetched", formatCount(line.fetched)],
      [line.instance, "decided", formatCount(line.reviewed)],
      [line.instance, "approved", formatCount(line.approved)],
      [line.instance, "approval_rate", rate(line.reviewed, line.approval_rate)],
      [line.instance, "delivered", formatCount(line.delivered)],
    ]),
    ...languages.flatMap(({ language, ...line }): Mark[] => {
      const row = language === "" ? words.statistics.noLanguage : (names.of(language) ?? language);
      return [
        [row, "fetched", formatCount(line.fetched)],
        [row, "decided", formatCount(line.decided)],
        [row, "approved", formatCount(line.approved)],
        [row, "approval_rate", rate(line.decided, line.approval_rate)],
      ];
    }),
  ];
}

function people({ reviewers, agreement, ...overview }: Overview): Mark[] {
  const { timeToReview, timeToDelivery } = words.statistics;
  const { time_to_review: review, time_to_delivery: delivery } = overview;
  return [
    ...reviewers.flatMap((line): Mark[] => [
      [line.reviewer, "decided", formatCount(line.reviewed)],
      [line.reviewer, "approval_rate", rate(line.reviewed, line.approval_rate)],
      [line.reviewer, "time_to_review", duration(line.time_to_review.p50)],
    ]),
    ...(["p50", "p90", "p99"] as const).flatMap((part): Mark[] => [
      [timeToReview, "time_to_review", duration(review.current[part])],
      [timeToDelivery, "time_to_delivery", duration(delivery.current[part])],
    ]),
    [timeToReview, "time_to_review", duration(review.previous.p50)],
    [timeToDelivery, "time_to_delivery", duration(delivery.previous.p50)],
    ["", "reviewer_agreement", rate(agreement.same + agreement.different, agreement.share)],
    ["", "taken_back", formatCount(agreement.taken_back)],
    ...agreement.pairs.flatMap(({ first, second, ...pair }): Mark[] => {
      expect(second).not.toBe("");
      return [
        [first, "decided_twice_same", formatCount(pair.same)],
        [first, "decided_twice_different", formatCount(pair.different)],
        [first, "reviewer_agreement", formatPercent(pair.share)],
      ];
    }),
  ];
}

test("Home shows the next posts of the queue in their order", async ({
  page,
  installation: { app, call },
}) => {
  const { upcoming } = (await call<QueueOverview>("GET", "/curated/overview")).json;
  await page.goto(new URL("/", app.url).href);
  const links = panelOf(page, words.home.upcoming).getByRole("listitem").getByRole("link");
  const shown = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  expect(shown.length).toBeGreaterThan(2);
  expect(shown).toEqual(upcoming.slice(0, shown.length).map(({ post_id }) => `/posts/${post_id}`));
});

/** Times as in the API. A row's name lacks the mark of the own line. */
function readMarks(page: Page): Promise<Mark[]> {
  return page
    .getByRole("main")
    .locator("[data-figure]:visible")
    .evaluateAll((all) =>
      all.map((element): Mark => {
        const text = (each: Element | null | undefined) =>
          (each?.textContent ?? "").replaceAll(/\s+/g, " ").trim();
        const row = text(element.closest("tr")?.querySelector("th")).replace(/ \(you\)$/, "");
        const time = element.querySelector("time")?.dateTime;
        return [row, (element as HTMLElement).dataset.figure as Mark[1], time ?? text(element)];
      }),
    );
}

/** Figures without a definition in their table, list item or panel. */
function undefinedFigures(page: Page): Promise<string[]> {
  return page
    .getByRole("main")
    .locator("[data-figure]:visible")
    .evaluateAll((all) =>
      (all as HTMLElement[])
        .filter(({ parentElement, dataset }) => {
          const around = parentElement?.closest("table, dl, li, section, main");
          const helps = around?.querySelectorAll<HTMLElement>(`[data-definition="${dataset.figure}"]`);
          return ![...(helps ?? [])].some((help) => help.checkVisibility());
        })
        .map(({ dataset }) => dataset.figure ?? ""),
    );
}

async function expectDefinitions(page: Page, names: ReadonlySet<FigureName>): Promise<void> {
  for (const name of names) {
    await page.locator(`main [data-definition=${name}]:visible`).first().click();
    const { name: title, formula, population, time } = figures[name];
    const popover = page.getByRole("dialog", { name: title, exact: true });
    for (const line of [formula, population, time]) await expect(popover, name).toContainText(line);
    await page.keyboard.press("Escape");
    await expect(popover).toHaveCount(0);
  }
}

test("every figure on every page is that of the API and has its definition", async ({
  page,
  installation: { app, call, sample },
}) => {
  test.setTimeout(180_000);
  const { streamId, account } = sample;
  const read: Read = async <Body>(path: string) => (await call<Body>("GET", path)).json;
  const pages: Record<string, (read: Read) => Promise<Mark[]>> = {
    "/": onHome,
    "/queue": onQueue,
    "/statistics": onStatistics,
    "/streams": onStreams,
    [`/streams/${streamId}`]: (get) => onStream(get, streamId),
    [`/authors/${account.replace(/^@/, "")}`]: (get) => onAuthor(get, account),
  };
  for (const [path, expected] of Object.entries(pages)) {
    // Loads again when a day or an hour ends between page and API.
    await expect(async () => {
      await page.goto(new URL(path, app.url).href);
      expect((await readMarks(page)).sort(), path).toEqual((await expected(read)).sort());
    }).toPass({ intervals: [500], timeout: 30_000 });
    const marks = await readMarks(page);
    expect(marks.length, path).toBeGreaterThan(3);
    expect(await undefinedFigures(page), path).toEqual([]);
    await expectDefinitions(page, new Set(marks.map(([, figure]) => figure)));
  }
});
