import type { Page } from "@playwright/test";
import { expect } from "#tests/setup/browser-test.ts";
import { test, textPost } from "#tests/setup/desk.ts";
import { expectAccessible } from "#tests/setup/page-checks.ts";

/* Navigation and palette, by mouse, keyboard and touch. */

const palette = (page: Page) => page.getByRole("dialog", { name: "Search or run a command" });

async function run(page: Page, text: string, option: string | RegExp): Promise<void> {
  await page.keyboard.press("Control+k");
  await palette(page).getByRole("combobox").fill(text);
  await expect(palette(page).getByRole("option", { name: option, exact: true })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await page.keyboard.press("Enter");
  await expect(palette(page)).toHaveCount(0);
}

test("G and a letter go to a page, and ? lists the keys of the page", async ({ page, desk }) => {
  const { path, posts } = await desk.addPosts([textPost("Not rejected by G R")]);
  const go = async (letter: string, url: RegExp) => {
    await page.keyboard.press("g");
    await page.waitForTimeout(50);
    await page.keyboard.press(letter);
    await expect(page).toHaveURL(url);
  };
  await desk.open(page, "/");
  await go("p", /\/posts$/);
  await go("q", /\/queue$/);
  await go("s", /\/streams$/);
  await go("f", /\/blocking$/);
  await go("n", /\/statistics$/);
  await go("e", /\/settings$/);
  await go("h", /\/$/);
  // On the desk R rejects, but not after G.
  await desk.open(page, path);
  await expect(page.locator(`[data-card="${posts[0]?.id}"]`)).toBeVisible();
  await go("r", /\/review$/);
  await go("q", /\/queue$/);
  expect(await desk.approvedOf(posts[0])).toBeNull();

  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keys" });
  await expect(help).toContainText("Go to a page");
  await expect(help).not.toContainText("Grid and list");
  await expectAccessible(page, "the list of keys");
  await page.keyboard.press("Escape");
  await desk.open(page, `${path}&view=grid`);
  await page.keyboard.press("?");
  await expect(help).toContainText("Grid and list");
  await expect(help).toContainText("Open the page of the post");
  await page.keyboard.press("Escape");

  await desk.setPreferences({ desk_keys_off: true });
  await desk.open(page, "/queue");
  await page.keyboard.press("g");
  await page.waitForTimeout(50);
  await page.keyboard.press("p");
  await page.keyboard.press("?");
  await expect(help).toHaveCount(0);
  await expect(page).toHaveURL(/\/queue$/);
});

test("the palette opens pages and finds posts", async ({ page, desk }) => {
  await desk.open(page, "/streams");
  await run(page, "api keys", /^Bots/);
  await expect(page).toHaveURL(/\/settings\/keys$/);
  await run(page, "posts", /^Posts$/);
  await expect(page).toHaveURL(/\/posts$/);
  await expect(page).toHaveTitle(/^Posts/);
  await run(page, "heron two", "Posts with “heron two”");
  await expect(page).toHaveURL(/\/posts\?q=heron\+two$/);

  await page.keyboard.press("Control+k");
  await palette(page).getByRole("combobox").fill("dark");
  await palette(page).getByRole("option", { name: "Dark theme" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await run(page, "generate", "Generate an API key");
  await expect(page).toHaveURL(/\/settings\/keys#generate$/);
  await run(page, "Add a topical rule", "Add a topical rule");
  await expect(page.getByRole("dialog")).toBeVisible();
  // An open dialog keeps the palette closed.
  await page.keyboard.press("Control+k");
  await expect(palette(page)).toHaveCount(0);
});

test("the account menu opens with the first click and works by keyboard", async ({ page, desk }) => {
  await desk.open(page, "/queue");
  const account = page.getByRole("button", { name: /^Account/ });
  await account.focus();
  await page.keyboard.press("Enter");
  const menu = page.getByRole("group", { name: "Account" });
  await expect(menu.getByRole("button", { name: "Sign out" })).toBeVisible();
  await expectAccessible(page, "the account menu");
  await page.keyboard.press("Tab");
  await expect(menu.getByRole("link", { name: "Settings" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await expect(account).toBeFocused();
  await page.keyboard.press("Enter");
  await menu.getByRole("radio", { name: "Dark" }).check();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});

test("on a phone the other pages open in a bottom sheet, and the focus returns", async ({ page, desk }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await desk.open(page, "/queue");
  const more = page.getByRole("button", { name: "More" });
  await more.click();
  const sheet = page.getByRole("group", { name: "More" });
  await expect(sheet.getByRole("link", { name: "Settings" })).toBeVisible();
  await expectAccessible(page, "the sheet of places");
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await expect(more).toBeFocused();
  await more.click();
  await sheet.getByRole("link", { name: "Settings" }).click();
  await expect(page).toHaveURL(/\/settings$/);
  await expect(sheet).toBeHidden();
});

test("every page links to the source code", async ({ page, browser, desk }) => {
  for (const path of ["/", "/review", "/queue", "/settings"]) {
    await desk.open(page, path);
    await expect(page.getByText(/^Source code/).first(), path).toBeVisible();
  }
  const stranger = await browser.newPage();
  for (const path of ["/sign-in", "/docs", "/no-such-page"]) {
    await stranger.goto(`${desk.app.url}${path}`);
    await expect(stranger.getByText(/^Source code/).first(), path).toBeVisible();
  }
  await stranger.close();
});
