import type { Locator } from "@playwright/test";
import { expect, panelOf, signedInTest } from "#tests/setup/browser-test.ts";
import { HASHTAGS, startWithAdmin } from "#tests/setup/installation.ts";
import { expectAccessible } from "#tests/setup/page-checks.ts";
import { addSampleData } from "#tests/setup/sample-data.ts";
import { formatCount, formatDuration, formatShortDate } from "#components/words/format.ts";
import { figures } from "#lib/figures-schema.ts";
import type { Overview } from "#lib/stats/overview-schema.ts";

const test = signedInTest(() =>
  startWithAdmin({ hashtags: HASHTAGS }, async (installation) => {
    await addSampleData(installation, HASHTAGS);
    return {};
  }),
);

const isWithin = async (element: Locator, height: number) => {
  const box = await element.boundingBox();
  return box !== null && box.y >= 0 && box.y + box.height <= height;
};

test("the first screen answers whether the queue lasts and whether the team keeps up", async ({
  page,
  installation,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await installation.open(page, "/statistics");
  const { json: overview } = await installation.call<Overview>("GET", "/stats/overview");
  const { from, to } = overview.range;
  await expect(page).toHaveTitle(
    new RegExp(`^Statistics · ${formatShortDate(from)} – ${formatShortDate(to)}`),
  );

  const lasts = panelOf(page, "Will the queue last?");
  await expect(lasts.locator("[data-answer]")).toHaveText(
    new RegExp(`^Until .*\\(${formatDuration((overview.runway.days ?? 0) * 86_400)}\\)$`),
  );
  const keepUp = panelOf(page, "Do we keep up?");
  const sum = (of: "arrivals" | "decisions") => overview.hours.reduce((all, each) => all + each[of], 0);
  const more = sum("arrivals") - sum("decisions");
  await expect(keepUp.locator("[data-answer]")).toHaveText(
    more > 0 ? `No: ${formatCount(more)} more arrived than were decided` : /^Yes/,
  );
  for (const panel of [lasts, keepUp]) {
    expect(await isWithin(panel.locator("[data-answer]"), 800)).toBe(true);
    expect(await isWithin(panel.locator("figure > div").first(), 800)).toBe(true);
  }

  // The table of the heat map has the figures of the API.
  await keepUp.getByText("Show as table").click();
  const busiest = overview.hours.reduce((a, b) =>
    b.arrivals - b.decisions > a.arrivals - a.decisions ? b : a,
  );
  const row = keepUp.getByRole("row", { name: new RegExp(`^${busiest.hour}:00`) });
  await expect(row.getByRole("cell").nth(busiest.weekday)).toHaveText(
    formatCount(busiest.arrivals - busiest.decisions),
  );
  const titles = await page.locator("h2").allTextContents();
  expect(titles.filter((title) => title.endsWith("?"))).toEqual([
    "Will the queue last?",
    "Do we keep up?",
    "What do we choose?",
    "Do we agree?",
    "Do deliveries work?",
  ]);
});

test("the definition of a figure opens by keyboard and closes with Escape", async ({
  page,
  installation,
}) => {
  await installation.open(page, "/statistics");
  const help = page.getByRole("button", { name: "Definition: Approval rate" }).first();
  await help.focus();
  await page.keyboard.press("Enter");
  const popover = page.getByRole("dialog", { name: figures.approval_rate.name });
  await expect(popover).toBeVisible();
  await expectAccessible(page, "an open definition");
  await page.keyboard.press("Escape");
  await expect(popover).toBeHidden();
  await expect(help).toBeFocused();
});
