import { expect, panelOf, signedInTest } from "#tests/setup/browser-test.ts";
import { query } from "#tests/setup/database.ts";
import { startWithSampleData } from "#tests/setup/installation.ts";

const test = signedInTest(startWithSampleData);

test("errors come first, deletions are in the menu, and Topical is a tab", async ({ page, installation }) => {
  await installation.open(page, "/queue");
  const titles = page.getByRole("main").getByRole("heading", { level: 2 });
  await expect(titles.first()).toHaveText("Errors");

  const menu = page.getByRole("button", { name: "Clean up or trim" });
  await menu.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Trim pending" })).toBeVisible();
  await page.getByRole("menuitem", { name: "Clean up delivered" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Delete delivered posts" });
  await expect(dialog.getByLabel("Older than (days)")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);

  const tabs = page.getByRole("navigation", { name: "Queue", exact: true });
  await tabs.getByRole("link", { name: "Topical" }).click();
  await expect(page).toHaveURL(/\/queue\/topical$/);
  await expect(panelOf(page, "Rules")).toContainText("#caturday");
  await expect(tabs.getByRole("link", { name: "Topical" })).toHaveAttribute("aria-current", "page");
  await tabs.getByRole("link", { name: "Posts" }).click();
  await expect(page).toHaveURL(/\/queue$/);

  await page.goto(new URL("/topical?add=1", installation.app.url).href);
  await expect(page).toHaveURL(/\/queue\/topical\?add=1$/);
  await expect(page.getByRole("dialog", { name: "Add a topical rule" })).toBeVisible();
});

test("an expired reservation is next in line, in the list behind a figure of Home, and never called reserved", async ({
  page,
  installation,
}) => {
  const id = installation.sample.reserved[0];
  await query(
    installation.databaseUrl,
    `UPDATE queue_entry SET lease_expires_at = now() - interval '1 minute', approved_at = '2020-01-01', holds = 0,
            missing = 0, refusals = 0 WHERE post_id = $1`,
    [id],
  );
  await installation.open(page, "/queue");
  await expect(panelOf(page, "Next in line")).toContainText(/ran out at .*, goes back when a bot asks/);

  await installation.open(page, "/");
  await page.getByRole("main").locator("[data-figure=available]").first().click();
  await expect(page).toHaveURL(/\/posts\?queue_status=ready$/);
  const list = async (status: string) => {
    const path = `/posts?queue_status=${status}&limit=1000`;
    const { json } = await installation.call<{ items: { id: number }[] }>("GET", path);
    return json.items.map((post) => post.id);
  };
  expect(await list("ready")).toContain(id);
  expect(await list("with_bot")).not.toContain(id);

  const ranOut = /ran out at \d\d:\d\d, goes back when a bot asks/;
  await installation.open(page, "/posts?queue_status=reserved");
  const row = page.getByRole("row").filter({ has: page.locator(`a[href="/posts/${id}"]`) });
  await expect(row).toContainText(ranOut);
  await expect(row).toContainText("Pending");
  await installation.open(page, `/posts/${id}`);
  const facts = panelOf(page, "Decision");
  await expect(facts).toContainText(ranOut);
  await expect(facts).toContainText("Pending");
  await expect(facts).not.toContainText("Reserved");
});
