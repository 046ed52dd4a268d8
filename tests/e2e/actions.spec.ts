import type { Page } from "@playwright/test";
import { expect, toastMessage } from "#tests/setup/browser-test.ts";
import { deskTest as test, expectTopCard, newAuthor, textPost } from "#tests/setup/desk.ts";

const tilesOf = (page: Page) => page.getByRole("list", { name: "Posts" }).getByRole("listitem");

test("a batch is undone by Z on its page", async ({ page, desk }) => {
  const { path, posts } = await desk.addPosts(["One", "Two", "Three"].map(textPost));
  const approved = () => Promise.all(posts.map((post) => desk.approvedOf(post)));
  await desk.open(page, `${path}&view=grid`);
  await expect(tilesOf(page)).toHaveCount(3);
  await page.getByRole("button", { name: "Approve the 3 shown" }).click();
  await expect(toastMessage(page, "3 posts approved")).toBeVisible();
  expect(await approved()).toEqual([true, true, true]);
  await page.keyboard.press("z");
  await expect(toastMessage(page, "3 posts restored")).toBeVisible();
  expect(await approved()).toEqual([null, null, null]);
});

test("a batch leaves a post that somebody rejected after the page was loaded, and says so", async ({
  page,
  desk,
}) => {
  const { path, posts } = await desk.addPosts(["Six", "Seven"].map(textPost));
  await desk.open(page, `${path}&view=grid`);
  await expect(tilesOf(page)).toHaveCount(2);
  await desk.call("PATCH", `/posts/${posts[0]?.id}`, { approved: false });
  await page.getByRole("button", { name: "Approve the 2 shown" }).click();
  await expect(toastMessage(page, "1 post approved")).toBeVisible();
  await expect(page.getByText("Reviewed by somebody else since it was shown")).toBeVisible();
  const approved = await Promise.all(posts.map((post) => desk.approvedOf(post)));
  expect(approved).toEqual([false, true]);
});

test("at the desk Z undoes decisions and blocks in the order they were made", async ({ page, desk }) => {
  const author = newAuthor(desk, "spammer");
  const { path, posts } = await desk.addPosts([
    textPost("First"),
    { ...textPost("Second"), author },
    textPost("Third"),
  ]);
  const blocked = async () =>
    (await desk.call<unknown[]>("GET", "/reblog-controls/blocked-users")).json.length;
  await desk.open(page, path);
  await expectTopCard(page, posts[0]);
  await page.keyboard.press("a");
  await expectTopCard(page, posts[1]);
  await page.keyboard.press("b");
  await expect(page.getByRole("radio", { name: /^This account/ })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect.poll(blocked).toBe(1);
  // The block rejects the card of the author and moves on.
  await expectTopCard(page, posts[2]);
  await page.keyboard.press("z");
  await expect.poll(blocked).toBe(0);
  await expect.poll(() => desk.approvedOf(posts[0])).toBe(true);
  await page.keyboard.press("z");
  await expect.poll(() => desk.approvedOf(posts[0])).toBe(null);
  await expectTopCard(page, posts[0]);
});
