import { throwOnError, type ApiCaller } from "#tests/setup/api-client.ts";
import { expect, panelOf, signedInTest } from "#tests/setup/browser-test.ts";
import { query } from "#tests/setup/database.ts";
import { HASHTAGS, startWithAdmin, type AdminInstallation } from "#tests/setup/installation.ts";
import { expectNoHorizontalScroll } from "#tests/setup/page-checks.ts";
import { addSampleData, type SampleData } from "#tests/setup/sample-data.ts";
import type { Post } from "#lib/posts/schema.ts";
import type { Overview } from "#lib/stats/overview-schema.ts";
import type { StreamStats } from "#lib/stats/schema.ts";

/* The figures of the statistics open lists. */

const DAY = 86_400_000;
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
/** Two days, so that midnight may pass during the test. */
const from = dayOf(Date.now() - DAY);

const test = signedInTest(() =>
  startWithAdmin({ hashtags: HASHTAGS }, async (installation) => {
    const work = await addSampleData(installation, HASHTAGS);
    await haveHistory(installation, work);
    return {};
  }),
);

/** Adds cases that the sample lacks: rejections by filters, a changed decision, manual errors, and all ways of deletion. */
async function haveHistory(
  { call, remote, databaseUrl }: AdminInstallation,
  work: SampleData,
): Promise<void> {
  await call("PUT", "/reblog-controls/settings", { auto_reject_blocked_hashtags: true });
  const [hashtag] = HASHTAGS;
  for (let n = 0; n < 3; n++) remote.control.addPost({ hashtags: [hashtag, "giveaway"] });
  remote.control.arrive(6);
  for (const { id } of (await call<StreamStats>("GET", "/stats/streams")).json.streams.filter(
    (stream) => stream.active && stream.post_count > 0,
  )) {
    await call("POST", `/streams/${id}/fetch`);
  }
  const [first = 0, second = 0] = work.reserved;
  await throwOnError(work.consume)("POST", `/curated/${first}/ack`);
  await call("POST", `/curated/${second}/nack`);
  await call("POST", `/curated/${work.duplicateOfItself}/mark-delivered`);
  await call("POST", `/curated/${work.duplicate}/requeue`);
  await call("POST", "/curated/errors/dismiss", { reason: "Status not found on fediverse", limit: 1 });

  const { json: pending } = await list(call, "queue_status=pending&limit=3");
  const [changed, gone] = pending.items;
  await call("POST", `/posts/${changed?.id}/review`, { approved: false });
  await call("DELETE", `/posts/${gone?.id}`);
  const { json: open } = await list(call, "reviewed=false&limit=2");
  await call("POST", `/posts/${open.items[0]?.id}/review`, { approved: true });
  await call("DELETE", `/posts/${open.items[1]?.id}`);
  // A window must begin after the first delivery, so there is an earlier one for this call.
  const deliverEarlier = (n: number) =>
    query(
      databaseUrl,
      "INSERT INTO figure_delta (event, at, n, stream_id) VALUES ('delivered', utc_hour(now()) - interval '4 days', $1, 0)",
      [n],
    );
  await deliverEarlier(1);
  const trimmed = await call<{ deleted: number }>("POST", "/curated/trim-pending?lookback_days=3");
  expect(trimmed.json.deleted).toBeGreaterThan(0);
  await deliverEarlier(-1);
  const cleaned = await call<{ deleted: number }>("POST", "/curated/cleanup?retention_days=0");
  expect(cleaned.json.deleted).toBeGreaterThan(0);
  const { json: item } = await throwOnError(work.consume)<{ fenliu_post_id: number }>("GET", "/curated/next");
  await throwOnError(work.consume)("POST", `/curated/${item.fenliu_post_id}/ack`);
}

const list = (call: ApiCaller, query: string) =>
  call<{ total: number; items: { id: number }[] }>("GET", `/posts?limit=1&${query}`);
const total = async (call: ApiCaller, query: string) => (await list(call, query)).json.total;

test(
  "every figure of a range opens the list behind it",
  { tag: "@slow" },
  async ({ page, installation: { app, call } }) => {
    const range = `from=${from}&to=${dayOf(Date.now())}`;
    const overview = (await call<Overview>("GET", `/stats/overview?${range}`)).json;
    await page.goto(new URL(`/statistics?${range}`, app.url).href);
    const main = page.getByRole("main");
    for (const title of ["Day by day", "Decisions"])
      await panelOf(page, title).getByText("Show as table").click();
    await expect(panelOf(page, "Decisions").getByRole("table")).toBeVisible();

    const plain = main
      .locator("td:not([data-unlisted] td)")
      .filter({ hasText: /^[\d<]/ })
      .filter({ hasNot: page.locator("a") });
    expect(await plain.allTextContents()).toEqual([]);
    const links = await main.locator('a[href^="/posts?happened="]').evaluateAll((all) =>
      all.map((a) => ({
        href: a.getAttribute("href") ?? "",
        figure: a.querySelector(".tabular")?.textContent ?? a.textContent,
      })),
    );
    expect(links.length).toBeGreaterThan(40);
    // Lists lack deleted and changed posts; equality without these is in tests/integration/statistics/figure-lists.slow.test.ts.
    let filled = 0;
    for (const { href, figure } of links) {
      const found = await total(call, href.replace("/posts?", ""));
      if (found > 0) filled++;
      if (/^\d+$/.test(figure)) expect(found, `${figure} at ${href}`).toBeLessThanOrEqual(Number(figure));
    }
    expect(filled).toBeGreaterThan(20);
    const stored = (await call<{ items: Post[] }>("GET", "/posts?limit=1000")).json.items;
    for (const moment of ["fetched", "reviewed", "delivered", "errored"] as const) {
      const those = stored.filter((post) => (post[`${moment}_at`] ?? "") >= from);
      expect(await total(call, `happened=${moment}&since=${from}`), moment).toBe(those.length);
      expect(those.length, moment).toBeGreaterThan(0);
    }
    const { auto_rejected } = overview.totals.current;
    expect(await total(call, `happened=reviewed&auto_rejected=true&since=${from}`)).toBe(auto_rejected);

    const found = page.locator("[data-total]");
    const chip = (name: string | RegExp) => page.getByRole("button", { name });
    await main
      .getByRole("link", { name: /^Delivered/ })
      .first()
      .click();
    await expect(page).toHaveURL(/\/posts\?happened=delivered&since=/);
    await expect(found).toHaveAttribute(
      "data-total",
      String(await total(call, `happened=delivered&since=${from}`)),
    );
    await expect(page.getByText("The statistics also count posts that were later deleted")).toBeVisible();
    await expect(chip(`Remove filter: Delivered from ${from}`)).toBeVisible();
    await chip("Remove filter: Delivered").first().click();
    await expect(page).not.toHaveURL(/happened/);
    await expect(chip(`Remove filter: Posted from ${from}`)).toBeVisible();
    await expect(page.getByText("The statistics also count posts that were later deleted")).toBeHidden();
    await page.goBack();
    await page.goBack();

    await panelOf(page, "Decisions").locator(".recharts-bar-rectangle path").first().click();
    await expect(page).toHaveURL(/\/posts\?happened=reviewed&approved=(true|false)&since=/);
    await page.goBack();

    await page.setViewportSize({ width: 390, height: 800 });
    const [line] = overview.reviewers;
    const row = panelOf(page, "Reviewers")
      .getByRole("row")
      .filter({ hasText: line?.reviewer ?? "nobody" });
    await row.getByRole("link").nth(1).click();
    await expect(found).toHaveAttribute("data-total", /^[1-9]/);
    await expect(chip(`Remove filter: Decided by: ${line?.reviewer}`)).toBeVisible();
    await expectNoHorizontalScroll(page, "a reviewer's decisions on a phone");
    await chip(`Remove filter: Decided by: ${line?.reviewer}`).click();
    await expect(page).not.toHaveURL(/reviewe[rd]_?(by)?=/);
  },
);

test(
  "a list by time of an event can be chosen in the filter sheet and saved",
  { tag: "@slow" },
  async ({ page, installation: { app, call } }) => {
    await page.goto(new URL("/posts", app.url).href);
    await page.getByRole("button", { name: "Filters" }).click();
    const sheet = page.getByRole("dialog");
    await sheet.getByLabel("Period and order by").selectOption("Fetched");
    await sheet.getByLabel("Fetched from").fill(from);
    await sheet.getByLabel("Name").fill("Fetched since yesterday");
    await sheet.getByRole("button", { name: "Save these filters" }).click();
    await expect(sheet.getByRole("button", { name: "Fetched since yesterday", exact: true })).toBeVisible();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Filters" }).click();
    await sheet.getByRole("button", { name: "Fetched since yesterday", exact: true }).click();
    await expect(page).toHaveURL(`${app.url}/posts?happened=fetched&since=${from}`);
    const { json } = await list(call, `happened=fetched&since=${from}`);
    await expect(page.locator("[data-total]")).toHaveAttribute("data-total", String(json.total));
  },
);
