import type { Locator } from "@playwright/test";
import { expect, panelOf, signedInTest, statIn, toastMessage } from "#tests/setup/browser-test.ts";
import { holdBits } from "#lib/queue/holds.ts";
import { query } from "#tests/setup/database.ts";
import { startWithSampleData } from "#tests/setup/installation.ts";

const test = signedInTest(startWithSampleData);

test.describe("queue", () => {
  test.beforeEach(async ({ page, installation }) => {
    await installation.open(page, "/queue");
  });

  test("a post that was refused again and again says why", async ({ page }) => {
    const panel = panelOf(page, "Refused repeatedly");
    await expect(panel).toContainText("refused 4 times");
    await expect(panel).toContainText(
      "Returned each time. Probably a field that boost bots need is missing.",
    );
  });

  test("held posts say why, and how they are released", async ({ page, installation }) => {
    const held = await query<{ post_id: number }>(
      installation.databaseUrl,
      `UPDATE queue_entry q SET holds = $1 * o.n FROM (
         SELECT post_id, row_number() OVER (ORDER BY post_id)::int AS n FROM queue_entry
          WHERE state = 'pending' AND holds = 0 LIMIT 2) o
        WHERE q.post_id = o.post_id RETURNING q.post_id`,
      [holdBits.unconfirmed],
    );
    await installation.open(page, "/queue");
    const panel = panelOf(page, "Held");
    for (const [reason, name, release] of [
      ["unconfirmed", "Unconfirmed", "It is asked before the post is next in line."],
      ["unverifiable", "Source cannot be read", "Released automatically when the server can be read again."],
    ]) {
      await expect(panel.getByRole("link", { name, exact: true })).toHaveAttribute(
        "href",
        `/posts?queue_status=pending&held_by=${reason}`,
      );
      await expect(panel).toContainText(String(release));
    }
    const ids = held.map(({ post_id }) => post_id);
    await query(installation.databaseUrl, "UPDATE queue_entry SET holds = 0 WHERE post_id = ANY ($1)", [ids]);
  });

  test("errors of a reason are requeued, others rejected, single ones opened", async ({ page }) => {
    const panel = panelOf(page, "Errors");
    const group = (reason: string) => panel.getByRole("listitem").filter({ hasText: reason }).first();
    const gone = group("Status not found on fediverse");
    await expect(gone).toContainText("2 posts");
    const posts = gone.getByRole("listitem");
    await expect(posts).toHaveCount(2);
    for (const post of await posts.all()) {
      await expect(post).toContainText(/Reported .* by Boost bot/);
      await expect(post).toContainText("1 attempt");
      await expect(post.locator("a[href^='/authors/']")).toBeVisible();
      await expect(post.locator("a[href^='/posts/']")).toHaveText(/\w/);
    }
    const dialog = page.getByRole("dialog", { name: "Reject 2 failed posts" });
    await gone.getByRole("button", { name: "Reject all 2: Status not found on fediverse" }).click();
    await expect(dialog.getByLabel("How many")).toHaveValue("2");
    await dialog.getByRole("button", { name: "Reject all 2" }).click();
    await expect(toastMessage(page, "2 posts rejected")).toBeVisible();
    await expect(panel.getByText("Status not found on fediverse")).toHaveCount(0);
    await group("Timeout after 30 s").getByRole("button", { name: "Requeue", exact: true }).click();
    await expect(toastMessage(page, "1 post requeued")).toBeVisible();
    await expect(panel.getByText("Timeout after 30 s")).toHaveCount(0);
  });

  test("delivered posts are cleaned up, their figures stay", { tag: "@slow" }, async ({ page }) => {
    const main = page.getByRole("main");
    const delivered = statIn(main, "Delivered").first();
    const before = await delivered.textContent();
    expect(before).not.toBe("0");
    const ever = main.getByText(/^\d+ in total/);
    const totals = await ever.allTextContents();
    await page.getByRole("button", { name: "Clean up or trim" }).click();
    await page.getByRole("menuitem", { name: "Clean up delivered" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Older than (days)").fill("-1");
    await dialog.getByRole("button", { name: "Preview" }).click();
    await expect(dialog.locator("[aria-invalid=true]")).toBeVisible();
    await dialog.getByLabel("Older than (days)").fill("0");
    await dialog.getByRole("button", { name: "Preview" }).click();
    await expect(dialog.getByText("This cannot be undone.")).toBeVisible();
    await dialog.getByRole("button", { name: `Delete ${before} posts` }).dblclick();
    await expect(toastMessage(page, `${before} delivered posts deleted`)).toBeVisible();
    await expect(delivered).toHaveText("0");
    await expect(ever).toHaveText(totals);
  });
});

test.describe("streams", () => {
  // Later tests change and delete the added stream.
  test.describe.configure({ mode: "serial" });
  test("a stream is added after invalid input was reported", async ({ page, installation }) => {
    await installation.open(page, "/streams");
    await page.getByRole("button", { name: "Add stream" }).first().click();
    const dialog = page.getByRole("dialog");
    const add = dialog.getByRole("button", { name: "Add stream" });
    await dialog.getByLabel("Hashtag").fill("two words");
    await dialog.getByLabel("Server").fill("not a host");
    await dialog.getByLabel("Fetched every (minutes)").fill("1");
    await add.click();
    const refused = async (field: string) => {
      await expect(dialog.getByLabel(field), field).toHaveAttribute("aria-invalid", "true");
      await expect(dialog.getByLabel(field)).toHaveAccessibleDescription(/\w/);
    };
    await refused("Fetched every (minutes)");
    await refused("Hashtag");
    await expect(dialog.getByLabel("Hashtag")).toHaveValue("two words");
    await dialog.getByLabel("Fetched every (minutes)").fill("30");
    await dialog.getByLabel("Hashtag").fill("#Herons");
    await add.click();
    await refused("Server");
    await dialog.getByLabel("Server").fill(installation.remote.host);
    await dialog.getByLabel("Fetch on schedule").uncheck();
    await add.click();
    await expect(toastMessage(page, `#Herons on ${installation.remote.host} added`)).toBeVisible();
    await expect(page).toHaveTitle(/^#Herons on /);
    await expect(page.getByText("Checking", { exact: true })).toBeVisible();
    await page.getByRole("link", { name: "Streams" }).first().click();
    await expect(page.getByRole("row").filter({ hasText: "#Herons" })).toContainText("Checking");
    await page.getByRole("button", { name: "Add stream" }).first().click();
    await dialog.getByLabel("Hashtag").fill("herons");
    await add.click();
    await expect(dialog.getByText(/already monitored/)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
  });

  test("a stream shows the error of its last fetch", async ({ page, installation }) => {
    await installation.open(page, "/streams");
    const row = page.getByRole("row").filter({ hasText: "a-server-that-is-gone.invalid" });
    await expect(row).toContainText(/Failing\s*since/);
    await row.getByRole("link", { name: /#sunset/ }).click();
    await expect(page.getByText("Last fetch failed:")).toBeVisible();
  });

  test("a stream is changed, paused, fetched and deleted on its page", async ({ page, installation }) => {
    await installation.open(page, "/streams");
    await page.getByRole("link", { name: /#Herons/ }).click();
    await expect(page.getByText("Not fetched yet")).toBeVisible();
    await page.getByLabel("Languages").fill("en, nonsense!");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByLabel("Languages")).toHaveAttribute("aria-invalid", "true");
    await page.getByLabel("Languages").fill("en, de");
    await page.getByLabel("Skip replies").check();
    await page.getByRole("button", { name: "Save" }).click();
    await expect(toastMessage(page, "Saved")).toBeVisible();
    await page.reload();
    await expect(page.getByLabel("Languages")).toHaveValue("en, de");
    await expect(page.getByLabel("Skip replies")).toBeChecked();

    await page.getByRole("button", { name: "Fetch now" }).click();
    await expect(toastMessage(page, `#Herons on ${installation.remote.host} fetched`)).toBeVisible();
    await expect(panelOf(page, "Fetches").getByRole("row")).toHaveCount(2);
    await page.getByRole("button", { name: "Pause" }).click();
    await expect(page.getByText("Paused", { exact: true })).toBeVisible();
    await expect(page.getByRole("button", { name: "Fetch now" })).toBeDisabled();
    await page.getByRole("button", { name: "Resume" }).click();
    await expect(page.getByText("Active", { exact: true })).toBeVisible();

    await page.getByRole("button", { name: "Delete stream" }).click();
    const question = page.getByRole("alertdialog");
    await expect(question).toContainText("It has no posts.");
    await question.getByRole("button", { name: "Delete stream" }).click();
    await expect(page).toHaveURL(/\/streams$/);
    await expect(page.getByRole("row").filter({ hasText: "#Herons" })).toHaveCount(0);
  });

  test("all streams are fetched at once, and errors are counted", async ({ page, installation }) => {
    await installation.open(page, "/streams");
    await page.getByRole("button", { name: "Fetch all" }).click();
    await expect(toastMessage(page, "Streams fetched")).toBeVisible({ timeout: 30_000 });
    await expect(toastMessage(page, /1 with errors/)).toBeVisible();
  });

  test("an unknown stream gives a 404 page", async ({ page, installation }) => {
    const answer = await page.goto(new URL("/streams/999999", installation.app.url).href);
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  });
});

test.describe("blocking", () => {
  test.beforeEach(async ({ page, installation }) => {
    await installation.open(page, "/blocking");
  });

  test("users are blocked, and unblocked after a question; invalid input is reported", async ({ page }) => {
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
    const panel = panelOf(page, "Blocked accounts and domains");
    const stored = async () =>
      (await installation.call<unknown[]>("GET", "/reblog-controls/blocked-users")).json.length;
    const before = await stored();
    await panel.getByRole("button", { name: "Import" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByRole("button", { name: "Preview" })).toBeDisabled();
    await dialog.getByLabel("List").fill("Account address,Show boosts\nfriend@good.example,true\n");
    await dialog.getByRole("button", { name: "Preview" }).click();
    await expect(dialog).toContainText("This is a list of accounts that somebody follows");
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

  test("a domain that is typed as an account becomes a block of the domain, and says so", async ({
    page,
  }) => {
    const panel = panelOf(page, "Blocked accounts and domains");
    for (const written of ["https://brezel.example/", "@brezel.example", "brezel.example"]) {
      await panel.getByLabel("Account or domain").fill(written);
      await expect(panel).toContainText("This is a domain: everyone on brezel.example and its subdomains");
    }
    await panel.getByRole("button", { name: "Block", exact: true }).click();
    await expect(toastMessage(page, "brezel.example is blocked")).toBeVisible();
    const row = panel.getByRole("row").filter({ hasText: "brezel.example" });
    await expect(row).toContainText("a domain");
    await panel.getByLabel("Account or domain").fill("@brezel.example");
    await panel.getByRole("button", { name: "Block", exact: true }).click();
    await expect(panel.getByLabel("Account or domain")).toHaveAttribute("aria-invalid", "true");
    await expect(row).toHaveCount(1);
    await row.getByRole("button", { name: "Unblock brezel.example" }).click();
    await page
      .getByRole("alertdialog")
      .getByRole("button", { name: /^Unblock/ })
      .click();
    await expect(row).toHaveCount(0);
  });
});

test("topical rules are added, changed and removed", { tag: "@slow" }, async ({ page, installation }) => {
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
  const row = rules.getByRole("row").filter({ hasText: "#birds" });
  await expect(row).toContainText("Every Monday");
  const calendar = panelOf(page, "Next 14 days").getByRole("listitem").filter({ hasText: "#birds" });
  await expect(calendar.first()).toBeVisible();
  await row.getByRole("button", { name: /Change days/ }).click();
  await dialog.getByLabel("Weekday").selectOption("");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(row).not.toContainText("Every Monday");
  await row.getByRole("button", { name: /^Remove/ }).click();
  await expect(row).toHaveCount(0);
});

test.describe("statistics", () => {
  test.beforeEach(async ({ page, installation }) => {
    await installation.open(page, "/statistics");
  });

  test("bars are visible in forced colours", { tag: "@slow" }, async ({ page }) => {
    await page.emulateMedia({ forcedColors: "active" });
    const bars = page.getByRole("main").locator("[data-bar]");
    await expect(bars.first()).toBeVisible();
    // Of the page: the body is transparent.
    const ground = await page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement("i"));
      probe.style.background = "Canvas";
      const { backgroundColor } = getComputedStyle(probe);
      probe.remove();
      return backgroundColor;
    });
    /** Whether a bar differs from its background. */
    const isDrawn = (bar: Locator, marked = true) =>
      bar.evaluate(
        (box, { keep, ground }) => {
          const mark = box.getAttribute("data-bar");
          if (!keep) box.removeAttribute("data-bar");
          const { backgroundColor, borderTopColor, borderTopWidth, opacity } = getComputedStyle(box);
          if (mark !== null) box.setAttribute("data-bar", mark);
          const seen = (color: string) => color !== ground && !/^rgba.*, 0\)$/.test(color);
          return (
            box.getBoundingClientRect().width > 0 &&
            opacity === "1" &&
            (seen(backgroundColor) || (borderTopWidth !== "0px" && seen(borderTopColor)))
          );
        },
        { keep: marked, ground },
      );
    for (const bar of await bars.all()) expect(await isDrawn(bar)).toBe(true);
    // Without its outline it would be invisible.
    expect(await isDrawn(bars.first(), false)).toBe(false);
    const drawn = page.locator(".recharts-bar-rectangle path").first();
    await expect(drawn).toBeVisible();
    await expect(drawn).not.toHaveCSS("stroke", ground);
    await drawn.hover();
    const keys = page.locator(".recharts-tooltip-wrapper p > span:first-child");
    await expect(keys).toHaveCount(2);
    for (const key of await keys.all()) expect(await isDrawn(key)).toBe(true);
  });

  test(
    "reported duplicates show both pictures side by side and overlaid, and can be requeued",
    { tag: "@slow" },
    async ({ page, installation }) => {
      const panel = panelOf(page, "Reported duplicates");
      const card = panel
        .getByRole("listitem")
        .filter({ has: page.locator(`a[href="/posts/${installation.sample.duplicate}"]`) })
        .first();
      const own = panel.getByRole("listitem").filter({ hasText: "Probably boosted before" });
      await expect(own).toHaveCount(1);
      await expect(card).toContainText(/Reported .* by Boost bot/);
      await card.scrollIntoViewIfNeeded();
      const show = card.getByRole("button", { name: "Show covered pictures" });
      if (await show.isVisible()) await show.click();
      for (const picture of await card.getByRole("img").all()) {
        await expect
          .poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth))
          .toBeGreaterThan(50);
      }
      await expect(card.getByRole("img")).toHaveCount(2);
      const value = (term: string) => card.locator(`dt:text-is("${term}") + dd`).first();
      await expect(value("Claimed by the bot")).toHaveText("looks alike · 2 of 64 bits differ");
      await expect(value("Measured here")).toHaveText(/^\d+ of 64 bits differ · (the same|another) picture$/);
      await expect(card.getByText("f0e4c2d7a5b19388")).toBeHidden();
      await card.getByText("Hashes", { exact: true }).click();
      await expect(card.getByText("f0e4c2d7a5b19388")).toBeVisible();
      await card.getByText("Overlay", { exact: true }).click();
      const slider = card.getByRole("slider");
      await slider.focus();
      await page.keyboard.press("End");
      await expect(card.getByRole("img").nth(1)).toHaveCSS("opacity", "1");
      await page.keyboard.press("Home");
      await expect(card.getByRole("img").nth(1)).toHaveCSS("opacity", "0");
      await card.getByRole("button", { name: "Not a duplicate, requeue" }).click();
      await expect(toastMessage(page, "1 post requeued")).toBeVisible();
      await own.getByRole("button", { name: "Mark as delivered" }).click();
      await expect(panel.getByText("No duplicates reported")).toBeVisible();
    },
  );
});

test("the deck says that a search was incomplete", async ({ page, installation }) => {
  await page.route(/\/api\/v1\/review\/deck\?.*q=quagga/, (route) =>
    route.fulfill({
      json: {
        items: [],
        remaining: 0,
        remaining_is_more: true,
        leased_to_others: 0,
        incomplete_results: true,
      },
    }),
  );
  await installation.open(page, "/review?q=quagga&reviewed_by=Ann");
  await expect(page.getByText("only the first 20,000 posts were searched")).toBeVisible();
  await expect(page.getByText("0+ left")).toBeVisible();
  await expect(page.getByRole("button", { name: "Remove filter: Decided by: Ann" })).toBeVisible();
});

test("the hold reason is a filter and is shown as text", { tag: "@slow" }, async ({ page, installation }) => {
  await installation.open(page, "/posts");
  await page.getByRole("button", { name: "Filters", exact: true }).click();
  const sheet = page.getByRole("dialog");
  await sheet.getByLabel("Held", { exact: true }).selectOption({ label: "Bot account" });
  await sheet.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/held_by=bot/);
  await expect(page.getByRole("button", { name: "Remove filter: Held: Bot account" })).toBeVisible();
  await page.getByRole("button", { name: "Filters", exact: true }).click();
  await sheet.getByLabel("Held", { exact: true }).selectOption({ label: "Held or not" });
  await sheet.getByRole("button", { name: "Apply" }).click();
  await expect(page).not.toHaveURL(/held_by/);
});

test(
  "a list says that a search was incomplete, also when it found nothing",
  { tag: "@slow" },
  async ({ page, installation }) => {
    await page.route(/\/api\/v1\/posts\?.*q=quagga/, (route) =>
      route.fulfill({
        json: { items: [], total: 0, total_is_more: true, incomplete_results: true, skip: 0, limit: 50 },
      }),
    );
    await installation.open(page, "/posts");
    await page.getByRole("searchbox").fill("quagga");
    await page.keyboard.press("Enter");
    await expect(page.getByText("only the first 20,000 posts were searched")).toBeVisible();
    await expect(page.getByText("No posts match")).toHaveCount(0);
  },
);
