import { figures } from "#lib/base/figures-schema.ts";
import { expect, panelOf, sampleTest as test, statIn, toastMessage } from "#tests/setup/browser-test.ts";
import { query } from "#tests/setup/database.ts";
import { expectAccessible } from "#tests/setup/page-checks.ts";

/* Pages with data, one installation for all. */

test("the start page lists open tasks and problems, each linked to its place", async ({
  page,
  installation,
}) => {
  // As after the first ten minutes.
  await query(installation.databaseUrl, "UPDATE installation SET alerts_from = now()");
  const rows = () => panelOf(page, "Needs attention").getByRole("listitem");
  const steps: [row: RegExp, step: string, arrived: () => Promise<void>][] = [
    [
      /\d+ posts to review/,
      "Review",
      async () => expect(page.getByRole("button", { name: /^Approve/ }).first()).toBeVisible(),
    ],
    [
      /failed deliveries/,
      "Show errors",
      async () => expect(panelOf(page, "Errors").getByText("Status not found on fediverse")).toBeVisible(),
    ],
    [
      /#sunset .* cannot be fetched/,
      "Open stream",
      async () => expect(page.getByRole("heading", { level: 1 })).toContainText("sunset"),
    ],
  ];
  for (const [row, step, arrived] of steps) {
    await installation.open(page, "/");
    await rows()
      .filter({ hasText: row })
      .getByRole("link", { name: `${step}: ` })
      .click();
    await arrived();
  }
});

test("a failed nightly backup is on the start page and among the data settings", async ({
  page,
  installation,
}) => {
  const reason = "There is no room for the backup.";
  const [success, failure] = [Date.now() - 86_400_000, Date.now()].map((time) =>
    new Date(time).toISOString(),
  );
  const status = {
    looked_at: failure,
    folder: "/backups",
    success: { at: success, bytes: 12_300_000 },
    failure: { at: failure, reason },
  };
  await query(
    installation.databaseUrl,
    "INSERT INTO setting (name, value) VALUES ('backup', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    [JSON.stringify(status)],
  );
  await installation.open(page, "/");
  const row = panelOf(page, "Needs attention").getByRole("listitem").filter({ hasText: "backup failed" });
  await row.getByRole("link", { name: /^Backups/ }).click();
  const backups = panelOf(page, "Nightly backups");
  await expect(backups).toContainText("12.3 MB");
  await expect(backups).toContainText(reason);
});

test("an author can be blocked and unblocked on their page", async ({ page, installation }) => {
  await installation.open(page, `/posts/${installation.sample.duplicate}`);
  await page.getByRole("link", { name: "Author page" }).click();
  await expect(page).toHaveURL(/\/authors\//);
  const main = page.getByRole("main");
  const blocked = main.getByText(/^Blocked:/).first();
  await main.getByRole("button", { name: "Block", exact: true }).click();
  // Asked, because approved posts wait.
  await page.getByRole("dialog").getByRole("button", { name: "Block", exact: true }).click();
  await expect(blocked).toContainText(installation.sample.account.slice(1));
  await main.getByRole("button", { name: "Unblock" }).click();
  await expect(blocked).toHaveCount(0);
});

test("an invalid account gives a 404 page, an unknown one an empty page", async ({ page, installation }) => {
  await installation.signIn(page.context());
  const answer = await page.goto(new URL("/authors/nobody", installation.app.url).href);
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "This page does not exist" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Home" }).first()).toBeVisible();
  await installation.open(page, "/authors/somebody@new.example");
  await expect(page.getByText("No posts by this author")).toBeVisible();
});

test("errors come first, and Topical is a tab", async ({ page, installation }) => {
  await installation.open(page, "/queue");
  const titles = page.getByRole("main").getByRole("heading", { level: 2 });
  await expect(titles.first()).toHaveText("Errors");

  const tabs = page.getByRole("navigation", { name: "Queue", exact: true });
  await tabs.getByRole("link", { name: "Topical" }).click();
  await expect(page).toHaveURL(/\/queue\/topical$/);
  await expect(panelOf(page, "Rules")).toContainText("#caturday");
  await expect(tabs.getByRole("link", { name: "Topical" })).toHaveAttribute("aria-current", "page");
  await tabs.getByRole("link", { name: "Posts" }).click();
  await expect(page).toHaveURL(/\/queue$/);
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
  await expect(panelOf(page, "Next in line")).toContainText(/ran out .*, returned when a bot asks/);

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
});

test("errors of a reason are requeued, others rejected, single ones opened", async ({
  page,
  installation,
}) => {
  await installation.open(page, "/queue");
  const panel = panelOf(page, "Errors");
  const group = (reason: string) => panel.getByRole("listitem").filter({ hasText: reason }).first();
  const gone = group("Status not found on fediverse");
  await expect(gone).toContainText("2 posts");
  const posts = gone.getByRole("listitem");
  await expect(posts).toHaveCount(2);
  const dialog = page.getByRole("alertdialog", { name: /^Reject all 2/ });
  await gone.getByRole("button", { name: "Reject all 2: Status not found on fediverse" }).click();
  await dialog.getByRole("button", { name: "Reject all 2" }).click();
  await expect(toastMessage(page, "2 posts rejected")).toBeVisible();
  await expect(panel.getByText("Status not found on fediverse")).toHaveCount(0);
  await group("Timeout after 30 s").getByRole("button", { name: "Requeue", exact: true }).click();
  await expect(toastMessage(page, "1 post requeued")).toBeVisible();
  await expect(panel.getByText("Timeout after 30 s")).toHaveCount(0);
});

test("statistics are one sentence until there are 30 decisions, and four answers then", async ({
  page,
  installation,
}) => {
  const decided = (n: number) =>
    query(
      installation.databaseUrl,
      "INSERT INTO tally_delta (event, n, stream_id) VALUES ('rejected', $1 - (SELECT sum(n) FROM tally_now('{total}') WHERE key = '' AND metric IN ('approved', 'rejected')), 0)",
      [n],
    );
  await decided(29);
  await installation.open(page, "/statistics");
  await expect(page.locator("[data-answer]")).toHaveCount(0);

  await decided(30);
  await installation.open(page, "/statistics");
  await expect(page.locator("[data-answer]")).toHaveCount(4);
  await page.getByRole("link", { name: "Reviewer", exact: true }).click();
  await expect(page.getByRole("table", { name: "Reviewer" }).getByRole("row")).not.toHaveCount(0);
  await page.getByRole("link", { name: "7 days" }).click();
  await expect(page).toHaveURL(/days=7/);
  await expect(page.getByRole("link", { name: "7 days" })).toHaveAttribute("aria-current", "page");

  const help = page.getByRole("button", { name: /^Definition/ }).first();
  await help.focus();
  await page.keyboard.press("Enter");
  const popover = page.getByRole("note", { name: figures.runway_days.name });
  await expect(popover).toBeVisible();
  await expectAccessible(page, "an open definition");
  await page.keyboard.press("Escape");
  await expect(popover).toBeHidden();
  await expect(help).toBeFocused();
});

test("reported duplicates show both pictures side by side, and can be requeued", async ({
  page,
  installation,
}) => {
  await installation.open(page, "/statistics");
  const panel = panelOf(page, "Reported duplicates");
  const card = panel
    .getByRole("listitem")
    .filter({ has: page.locator(`a[href="/posts/${installation.sample.duplicate}"]`) })
    .first();
  const own = panel.getByRole("listitem").filter({ hasText: "Probably boosted before" });
  await expect(own).toHaveCount(1);
  await card.scrollIntoViewIfNeeded();
  const show = card.getByText("Show covered pictures");
  if (await show.isVisible()) await show.click();
  for (const picture of await card.getByRole("img").all()) {
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth))
      .toBeGreaterThan(50);
  }
  await expect(card.getByRole("img")).toHaveCount(2);
  await card.getByRole("button", { name: "Not a duplicate, requeue" }).click();
  await expect(toastMessage(page, "1 post requeued")).toBeVisible();
  await own.getByRole("button", { name: "Mark as delivered" }).click();
  await expect(panel.getByText("No duplicates reported")).toBeVisible();
});

test("delivered posts are cleaned up, their figures stay", async ({ page, installation }) => {
  await installation.open(page, "/queue");
  const main = page.getByRole("main");
  const delivered = statIn(main, "Delivered").first();
  const before = await delivered.textContent();
  expect(before).not.toBe("0");
  const ever = main.getByText(/^\d+ in total/);
  const totals = await ever.allTextContents();
  await page.getByRole("button", { name: "Clean up or trim" }).click();
  await page.getByRole("button", { name: "Clean up delivered" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Older than (days)").fill("-1");
  await dialog.getByRole("button", { name: "Preview" }).click();
  await expect(dialog.locator("[aria-invalid=true]")).toBeVisible();
  await dialog.getByLabel("Older than (days)").fill("0");
  await dialog.getByRole("button", { name: "Preview" }).click();
  await expect(dialog.getByText("This cannot be undone.")).toBeVisible();
  await dialog.getByRole("button", { name: `Delete ${before} posts` }).dblclick();
  await expect(toastMessage(page, `${before} posts deleted`)).toBeVisible();
  await expect(delivered).toHaveText("0");
  await expect(ever).toHaveText(totals);
});

test("users are blocked, and unblocked after a question; invalid input is reported", async ({
  page,
  installation,
}) => {
  await installation.open(page, "/blocking");
  const panel = panelOf(page, "Blocked accounts and domains");
  await panel.getByLabel("Account or domain").fill("not an account");
  await panel.getByRole("button", { name: "Block", exact: true }).click();
  await expect(panel.getByLabel("Account or domain")).toHaveAttribute("aria-invalid", "true");
  await panel.getByLabel("Account or domain").fill("@Spam@bots.example");
  await panel.getByText("Advanced").click();
  await panel.getByLabel("Note").fill("sells things");
  await panel.getByRole("button", { name: "Block", exact: true }).click();
  const row = panel.getByRole("row").filter({ hasText: "sells things" });
  await expect(row).toContainText(/spam@bots\.example/i);
  await expect(panel.getByLabel("Account or domain")).toHaveValue("");
  const question = page.getByRole("alertdialog");
  await row.getByRole("button", { name: /^Unblock/ }).click();
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(row).toHaveCount(1);
  await row.getByRole("button", { name: /^Unblock/ }).click();
  await question.getByRole("button", { name: /^Unblock/ }).click();
  await expect(row).toHaveCount(0);
  // The field keeps the focus while a list is typed.
  await panel.getByLabel("Account or domain").focus();
  await page.keyboard.type("@second@bots.example");
  await page.keyboard.press("Enter");
  await expect(panel.getByRole("row").filter({ hasText: "second@bots.example" })).toHaveCount(1);
});

test("a list is imported after a preview of its changes", async ({ page, installation }) => {
  await installation.open(page, "/blocking");
  const panel = panelOf(page, "Blocked accounts and domains");
  const stored = async () =>
    (await installation.call<unknown[]>("GET", "/reblog-controls/blocked-users")).json.length;
  const before = await stored();
  await panel.getByRole("button", { name: "Import" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Preview" })).toBeDisabled();
  await dialog.getByLabel("List").fill("ads@one.example\ntwo.example\nfree****");
  await dialog.getByRole("button", { name: "Preview" }).click();
  await expect(dialog).toContainText("2 new, 0 already listed, 1 unreadable.");
  await expect(dialog).toContainText("Line 3");
  expect(await stored()).toBe(before);
  await dialog.getByRole("button", { name: "Add 2" }).click();
  await expect(toastMessage(page, "2 added")).toBeVisible();
  await expect(panel.getByRole("row")).toHaveCount(1 + before + 2);
  const download = page.waitForEvent("download");
  await panel.getByRole("link", { name: "Export CSV", exact: true }).click();
  expect((await download).suggestedFilename()).toMatch(/\.csv$/);
});

test("topical rules are added and removed", async ({ page, installation }) => {
  await installation.open(page, "/queue/topical");
  const rules = panelOf(page, "Rules");
  await page.getByRole("button", { name: "Add rule" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Hashtag").fill("birds");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toContainText(/day/i);
  await dialog.getByLabel("Date").fill("13-40");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByLabel("Date")).toHaveAttribute("aria-invalid", "true");
  await dialog.getByLabel("Date").fill("10-04");
  await dialog.getByLabel("Weekday").selectOption("Monday");
  await dialog.getByRole("button", { name: "Save" }).click();
  const row = rules.getByRole("listitem").filter({ hasText: "#birds" });
  await expect(row).toContainText("Every Monday");
  await row.getByRole("button", { name: /^Remove/ }).click();
  await expect(row).toHaveCount(0);
});
