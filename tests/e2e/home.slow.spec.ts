import { writeBackupStatus } from "#lib/backup-status.ts";
import { throwOnError } from "#tests/setup/api-client.ts";
import { expect, panelOf, signedInTest, toastMessage } from "#tests/setup/browser-test.ts";
import { query } from "#tests/setup/database.ts";
import { HASHTAGS, startWithAdmin } from "#tests/setup/installation.ts";
import { addSampleData } from "#tests/setup/sample-data.ts";

type Post = { id: number; url: string; author_account: string; author_url: string };

const test = signedInTest(() =>
  startWithAdmin({ hashtags: HASHTAGS }, async (installation) => {
    const work = await addSampleData(installation, HASHTAGS);
    const consume = throwOnError(work.consume);
    const { json } = await consume<{ fenliu_post_id: number; author_account: string }>(
      "GET",
      "/curated/next",
    );
    await consume("POST", `/curated/${json.fenliu_post_id}/error`, {
      reason: "Author opts out of bot interaction (nobot)",
      error_details: { error_type: "nobot" },
    });
    // Consumers are active and the queue is empty.
    await installation.call("POST", "/review/batch", {
      filter: { queue_status: "pending" },
      decision: "reject",
    });
    await installation.call("POST", "/members/links", { email: "late@home.example", role: "viewer" });
    // As after the first ten minutes.
    await query(installation.databaseUrl, "UPDATE installation SET alerts_from = now()");
    return { work, optedOut: json.author_account };
  }),
);

test("the start page lists open tasks and problems, each linked to its place", async ({
  page,
  installation,
}) => {
  const rows = () => panelOf(page, "Needs attention").getByRole("listitem");
  const steps: [row: RegExp, step: string, arrived: () => Promise<void>][] = [
    [
      /\d+ posts to review/,
      "Review",
      async () => expect(page.getByRole("button", { name: /^Approve/ }).first()).toBeVisible(),
    ],
    [
      /The queue is empty/,
      "Review posts",
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
    [
      /1 open invitation/,
      "Members",
      async () => expect(panelOf(page, "Open links").getByText("late@home.example")).toBeVisible(),
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
  await installation.open(page, "/");
  await rows().filter({ hasText: "1 opt-out reported" }).getByRole("link", { name: "Decide: " }).click();
  const report = panelOf(page, "Reported opt-outs");
  await report.getByRole("button", { name: `Not an opt-out: ${installation.optedOut}` }).click();
  await expect(toastMessage(page, `Posts by ${installation.optedOut} are no longer held`)).toBeVisible();
  await expect(report).toHaveCount(0);
});

test("a failed nightly backup is on the start page and among the data settings", async ({
  page,
  installation,
}) => {
  const reason = "There is no room for the backup.";
  const [success, failure] = [Date.now() - 86_400_000, Date.now()].map((time) =>
    new Date(time).toISOString(),
  );
  writeBackupStatus(installation.dataDir, {
    folder: "/backups",
    success: { at: success ?? "", bytes: 12_300_000 },
    failure: { at: failure ?? "", reason },
    future: ["sluice-21260101T030000Z.zip"],
  });
  await installation.open(page, "/");
  const row = panelOf(page, "Needs attention").getByRole("listitem").filter({ hasText: "backup failed" });
  await expect(row).toContainText(reason);
  await row.getByRole("link", { name: /^Backups/ }).click();
  const backups = panelOf(page, "Nightly backups");
  await expect(backups).toContainText("12.3 MB");
  await expect(backups).toContainText(reason);
  await expect(backups).toContainText("sluice-21260101T030000Z.zip: made while the clock was wrong.");
});

test("Ctrl-K finds a page, a post by its address, and an action", async ({ page, installation }) => {
  const { json: post } = await installation.call<Post>("GET", `/posts/${installation.work.duplicate}`);
  const palette = page.getByRole("dialog", { name: "Search or run a command" });
  const find = async (text: string) => {
    await page.keyboard.press("Control+k");
    await palette.getByRole("combobox").fill(text);
  };
  await installation.open(page, "/queue");
  await find("topi");
  await expect(palette.getByRole("option", { name: /^Topical/ })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/queue\/topical$/);
  await expect(palette).toHaveCount(0);

  await find(post.url);
  await palette.getByRole("group", { name: "Posts" }).getByRole("option").first().click();
  await expect(page).toHaveURL((url) => url.searchParams.get("q") === post.url);
  await expect(page.getByRole("main")).toContainText(post.author_account);

  await find("dark");
  await palette.getByRole("option", { name: "Dark theme" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await find("generate");
  await palette.getByRole("option", { name: "Generate an API key" }).click();
  await expect(page.getByRole("dialog", { name: "Generate an API key" })).toBeVisible();
  // An open dialog keeps the palette closed.
  await page.keyboard.press("Control+k");
  await expect(palette).toHaveCount(0);
});

test(
  "an author can be blocked and unblocked on their page",
  { tag: "@slow" },
  async ({ page, installation }) => {
    await installation.open(page, `/posts/${installation.work.duplicateOfItself}`);
    await expect(
      page.getByText("Probably boosted before: the boost bot recognised its own picture."),
    ).toBeVisible();
    await installation.open(page, `/posts/${installation.work.duplicate}`);
    await expect(page.getByText("Probably boosted before")).toHaveCount(0);
    await page.getByRole("link", { name: "Author page" }).click();
    const panel = panelOf(page, "Block");
    const blocked = panel.getByRole("listitem").filter({ hasText: "Blocked" });
    await panel.getByRole("button", { name: "Block", exact: true }).click();
    await expect(blocked).toContainText(installation.work.account.slice(1));
    await panel.getByRole("button", { name: "Unblock" }).click();
    await expect(blocked).toHaveCount(0);

    const posts = panelOf(page, "Newest posts").getByRole("row");
    const rejected = posts.filter({ hasText: "Rejected" });
    const before = await rejected.count();
    expect(before).toBeGreaterThan(0);
    await rejected
      .first()
      .getByRole("button", { name: /^Back to unreviewed/ })
      .click();
    await expect(rejected).toHaveCount(before - 1);
    await page.getByRole("button", { name: "Undo" }).first().click();
    await expect(rejected).toHaveCount(before);
  },
);

test("an invalid account gives a 404 page, an unknown one an empty page", async ({ page, installation }) => {
  const answer = await page.goto(new URL("/authors/nobody", installation.app.url).href);
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "This page does not exist" })).toBeVisible();
  await installation.open(page, "/authors/somebody@new.example");
  await expect(page.getByText("No posts by this author")).toBeVisible();
});
