import { expect, panelOf, signedInTest } from "#tests/setup/browser-test.ts";
import { HASHTAGS, startWithAdmin } from "#tests/setup/installation.ts";
import { expectAccessible } from "#tests/setup/page-checks.ts";
import { query } from "#tests/setup/database.ts";
import { addSampleData } from "#tests/setup/sample-data.ts";
import { figures } from "#lib/figures-schema.ts";

const test = signedInTest(() =>
  startWithAdmin({ hashtags: HASHTAGS }, async (installation) => {
    await addSampleData(installation, HASHTAGS);
    return {};
  }),
);

test("statistics are one sentence until there are 30 decisions, and four answers then", async ({
  page,
  installation,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const decided = (n: number) =>
    query(
      installation.databaseUrl,
      "INSERT INTO figure_delta (event, n, stream_id) VALUES ('rejected', $1 - (SELECT sum(n) FROM figure_now('{all}', 'all') WHERE metric IN ('approved', 'rejected')), 0)",
      [n],
    );
  await decided(29);
  await installation.open(page, "/statistics");
  await expect(page.locator("[data-answer]")).toHaveCount(0);
  await expect(panelOf(page, "Reported duplicates").getByRole("listitem").first()).toBeVisible();

  await decided(30);
  await installation.open(page, "/statistics");
  await expect(page.locator("[data-answer]")).toHaveCount(4);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(2800);
  await page.getByRole("tab", { name: "Reviewer" }).click();
  await expect(page.getByRole("table", { name: "Reviewer" }).getByRole("row")).not.toHaveCount(0);
  await page.getByRole("link", { name: "7 days" }).click();
  await expect(page).toHaveURL(/days=7/);
  await expect(page.getByRole("link", { name: "7 days" })).toHaveAttribute("aria-current", "page");

  const help = page.getByRole("button", { name: /^Definition/ }).first();
  await help.focus();
  await page.keyboard.press("Enter");
  const popover = page.getByRole("dialog", { name: figures.runway_days.name });
  await expect(popover).toBeVisible();
  await expectAccessible(page, "an open definition");
  await page.keyboard.press("Escape");
  await expect(popover).toBeHidden();
  await expect(help).toBeFocused();
});
