import { decisionLog, deskTest as test, expectTopCard, textPost, topCard } from "#tests/setup/desk.ts";
import { expect } from "#tests/setup/browser-test.ts";

/*
 * The network fails before any code was loaded on demand. The browser's own messages about failed loads are ignored.
 */

test("without a network the first key decides, tooltips stay hidden, and dialogs open when it returns", async ({
  page,
  context,
  desk,
}) => {
  const { path, posts } = await desk.addPosts(["One", "Two", "Three", "Four"].map(textPost));
  await desk.open(page, path);
  await expectTopCard(page, posts[0]);
  await context.setOffline(true);

  await page.keyboard.press("a");
  await expectTopCard(page, posts[1]);
  await page.getByRole("button", { name: "Desk settings" }).hover();
  await page.keyboard.press("?");
  const coming = page.getByRole("status").filter({ hasText: "Loading" });
  await expect(coming).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(coming).toBeHidden();
  await page.keyboard.press("r");
  await expectTopCard(page, posts[2]);
  await page.getByRole("button", { name: /^Filters/ }).click();
  await expect(coming).toBeVisible();
  await expect(topCard(page)).toBeVisible();

  await context.setOffline(false);
  await expect(page.getByRole("dialog", { name: "Filters" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect
    .poll(async () =>
      (await decisionLog(desk.call)).filter(({ post_id }) => posts.some(({ id }) => id === post_id)),
    )
    .toEqual([
      { post_id: posts[0]?.id, action: "approve" },
      { post_id: posts[1]?.id, action: "reject" },
    ]);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
});

test("a page from before an update offers to reload when its code is gone", async ({ page, desk }) => {
  const { path, posts } = await desk.addPosts(["One", "Two"].map(textPost));
  await desk.open(page, path);
  await expectTopCard(page, posts[0]);
  await page.keyboard.press("a");
  await expectTopCard(page, posts[1]);
  await page.route("**/_next/static/chunks/**", (route) => route.fulfill({ status: 404 }));
  await page.keyboard.press("?");
  const again = page.getByRole("button", { name: "Reload the page" });
  await expect(again).toBeVisible({ timeout: 15_000 });
  await page.unroute("**/_next/static/chunks/**");
  await again.click();
  await expectTopCard(page, posts[1]);
  await expect(again).toBeHidden();
});
