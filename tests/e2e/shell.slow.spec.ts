import { expect, panelOf, test } from "#tests/setup/browser-test.ts";
import { expectAccessible } from "#tests/setup/page-checks.ts";

/* Parts loaded on first use work by mouse, keyboard and touch. */

test("the account menu opens with the first click and works by keyboard", async ({ adminPage }) => {
  await adminPage.goto("/queue");
  const account = adminPage.getByRole("button", { name: /^Account/ });
  await account.focus();
  await adminPage.keyboard.press("Enter");
  await expect(adminPage.getByRole("menuitem", { name: "Sign out" })).toBeVisible();
  await adminPage.keyboard.press("ArrowDown");
  await expect(adminPage.getByRole("menuitem").first()).toBeFocused();
  await adminPage.keyboard.press("Escape");
  await expect(adminPage.getByRole("menu")).toHaveCount(0);
  await expect(account).toBeFocused();
  await adminPage.keyboard.press("Enter");
  await adminPage.getByRole("menuitemradio", { name: "Dark" }).click();
  await expect(adminPage.locator("html")).toHaveAttribute("data-theme", "dark");
});

test("every page links to the source code", { tag: "@slow" }, async ({ adminPage, browser }) => {
  for (const path of ["/", "/review", "/queue", "/settings"]) {
    await adminPage.goto(path);
    await expect(adminPage.getByText(/^Source code/).first(), path).toBeVisible();
  }
  const stranger = await browser.newPage();
  for (const path of ["/sign-in", "/docs", "/no-such-page"]) {
    await stranger.goto(path);
    await expect(stranger.getByText(/^Source code/).first(), path).toBeVisible();
  }
  await stranger.close();
});

test("tooltips appear on hover and on focus and close with Escape", async ({ adminPage }) => {
  await adminPage.goto("/review");
  const keys = adminPage.getByRole("button", { name: "Keys" });
  const words = adminPage.locator("[data-radix-popper-content-wrapper]").getByText("Keys").first();
  await keys.hover();
  await expect(words).toBeVisible();
  const [button, bubble] = [await keys.boundingBox(), await words.boundingBox()];
  expect(Math.abs((button?.x ?? 0) - (bubble?.x ?? 0))).toBeLessThan(120);
  await adminPage.mouse.move(300, 300);
  await expect(words).toHaveCount(0);
  await keys.focus();
  await adminPage.keyboard.press("Shift+Tab");
  await adminPage.keyboard.press("Tab");
  await expect(keys).toBeFocused();
  await expect(words).toBeVisible();
  await adminPage.keyboard.press("Escape");
  await expect(words).toHaveCount(0);
  await expect(keys).toBeFocused();
});

test("on a phone the other pages open in a bottom sheet, and the focus returns", async ({ adminPage }) => {
  await adminPage.setViewportSize({ width: 390, height: 844 });
  await adminPage.goto("/queue");
  const more = adminPage.getByRole("button", { name: "More" });
  await more.click();
  const sheet = adminPage.getByRole("dialog");
  await expect(sheet.getByRole("link", { name: "Blocking" })).toBeVisible();
  await expectAccessible(adminPage, "the sheet of places");
  await adminPage.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
  await expect(more).toBeFocused();
  await more.click();
  await sheet.getByRole("link", { name: "Blocking" }).click();
  await expect(adminPage).toHaveURL(/\/blocking$/);
  await expect(sheet).toHaveCount(0);
});

test("the former address of the blocking page redirects permanently, with its query", async ({
  adminPage,
}) => {
  const answer = await adminPage.request.get("/filters?from=bookmark", { maxRedirects: 0 });
  expect(answer.status()).toBe(308);
  expect(answer.headers()["location"]).toBe("/blocking?from=bookmark");
});

test("a message that appears between press and release takes neither", async ({ adminPage }) => {
  await adminPage.goto("/blocking");
  const link = panelOf(adminPage, "Blocked accounts and domains").getByRole("link", {
    name: "Accounts for Mastodon",
  });
  const bottom = async () => {
    const box = await link.boundingBox();
    return Math.round((box?.y ?? 0) + (box?.height ?? 0));
  };
  // At this height the link is where messages appear.
  await adminPage.setViewportSize({ width: 1280, height: (await bottom()) + 30 });
  const answer = Promise.withResolvers<void>();
  await adminPage.route("**/api/v1/reblog-controls/settings*", async (route) => {
    if (route.request().method() === "PUT") await answer.promise;
    await route.continue();
  });
  const bots = adminPage.getByLabel("Posts of bot accounts");
  await bots.click();
  await link.hover();
  await adminPage.mouse.down();
  answer.resolve();
  const toast = adminPage.locator("[data-sonner-toast]");
  await expect(toast).toBeVisible();
  const lies = async () => {
    const [over, under] = [await toast.boundingBox(), await link.boundingBox()];
    if (over === null || under === null) return false;
    const [x, y] = [under.x + under.width / 2, under.y + under.height / 2];
    return x > over.x && x < over.x + over.width && y > over.y && y < over.y + over.height;
  };
  await expect.poll(lies).toBe(true);
  const download = adminPage.waitForEvent("download", { timeout: 10_000 });
  await adminPage.mouse.up();
  expect((await download).suggestedFilename()).toBe("blocked-users.csv");
  await bots.click();
  await expect(bots).not.toBeChecked();
});
