import type { Page } from "@playwright/test";
import { expect, toastMessage } from "#tests/setup/browser-test.ts";
import {
  deskTest as test,
  expectTopCard,
  textPost,
  type DeskInstallation,
  type StoredPost,
  newAuthor,
} from "#tests/setup/desk.ts";

const tilesOf = (page: Page) => page.getByRole("list", { name: "Posts" }).getByRole("listitem");
const history = (page: Page) => page.getByRole("dialog", { name: "Your actions" });

test("a batch is undone by Z on another page after a reload, and the history lists it", async ({
  page,
  desk,
}) => {
  const { path, posts } = await desk.addPosts(["One", "Two", "Three"].map(textPost));
  const approved = () => Promise.all(posts.map((post) => desk.approvedOf(post)));
  await desk.open(page, `${path}&view=grid`);
  await expect(tilesOf(page)).toHaveCount(3);
  await page.getByRole("button", { name: "Approve the 3 shown" }).click();
  await expect(toastMessage(page, "3 posts approved")).toBeVisible();
  expect(await approved()).toEqual([true, true, true]);

  await page.goto(new URL("/settings", desk.app.url).href);
  await page.reload();
  await expect(page.getByRole("main")).toBeVisible();
  await page.keyboard.press("Shift+Z");
  await expect(history(page).getByText("3 posts approved")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(history(page)).toHaveCount(0);
  await page.keyboard.press("z");
  await expect(toastMessage(page, "Undone: 3 posts approved")).toBeVisible();
  expect(await approved()).toEqual([null, null, null]);

  await desk.call("POST", `/posts/${posts[0]?.id}/review`, { approved: true });
  await page.keyboard.press("Shift+Z");
  await history(page).getByRole("button", { name: "Undo last action" }).click();
  await expect.poll(approved).toEqual([null, null, null]);
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

test("the history undoes an earlier action and says which posts were handed out", async ({ page, desk }) => {
  const { path, posts } = await desk.addPosts(["Four", "Five"].map(textPost));
  await desk.open(page, `${path}&view=grid`);
  await page.getByRole("button", { name: "Approve the 2 shown" }).click();
  await expect(toastMessage(page, "2 posts approved")).toBeVisible();
  const taken = await handOut(desk, posts);

  await page.goto(new URL("/queue", desk.app.url).href);
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder(/Page, text/).fill("your actions");
  await page.keyboard.press("Enter");
  const line = history(page).getByRole("listitem").filter({ hasText: "2 posts approved" }).first();
  await expect(line).toContainText("1 of 2 was already handed out");
  await line.getByRole("button", { name: "Undo: 2 posts approved" }).click();
  await expect(toastMessage(page, "Undone: 2 posts approved")).toBeVisible();
  await expect(line.getByRole("button")).toHaveCount(0);
  for (const post of posts) expect(await desk.approvedOf(post)).toBe(post.id === taken ? true : null);
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

/** A consumer reserves posts until it gets one of these. */
async function handOut(desk: DeskInstallation, posts: readonly StoredPost[]): Promise<number> {
  const made = await desk.call<{ api_key: string }>("POST", "/api-keys/generate", {
    name: "Taker",
    scopes: ["consume"],
  });
  const wanted = new Set(posts.map(({ id }) => id));
  for (;;) {
    const answer = await fetch(`${desk.app.url}/api/v1/curated/next`, {
      headers: { "x-api-key": made.json.api_key },
    });
    expect(answer.status).toBe(200);
    const { fenliu_post_id } = (await answer.json()) as { fenliu_post_id: number };
    if (wanted.has(fenliu_post_id)) return fenliu_post_id;
  }
}
