import type { Page } from "@playwright/test";
import { expectTopCard, newAuthor, test, textPost } from "#tests/setup/desk.ts";
import { expect, panelOf, toastMessage } from "#tests/setup/browser-test.ts";
import { expectAccessible } from "#tests/setup/page-checks.ts";

/* Blocks show the affected posts first; removing one gives them back. */

const question = (page: Page, name: RegExp) => page.getByRole("dialog", { name });

test("blocking a hashtag names the consequence first, and unblocking restores everything", async ({
  page,
  desk,
}) => {
  const { posts, streamId } = await desk.addPosts(["One", "Two", "Three", "Four"].map(textPost));
  const [one, two, three, four] = posts;
  for (const post of [one, two]) await desk.call("POST", `/posts/${post?.id}/approve`);
  const tag = (await desk.call<{ hashtag: string }>("GET", `/streams/${streamId}`)).json.hashtag;
  const state = async () => ({
    blocked: (await desk.call<unknown[]>("GET", "/reblog-controls/blocked-hashtags")).json.length,
    held: await Promise.all(
      [one, two].map(
        async (post) =>
          (await desk.call<{ held_by: string | null }>("GET", `/posts/${post?.id}`)).json.held_by ===
          "blocked_hashtag",
      ),
    ),
    decided: await Promise.all([three, four].map(desk.approvedOf)),
  });
  const before = { blocked: 0, held: [false, false], decided: [null, null] };
  await desk.open(page, "/blocking");
  const list = panelOf(page, "Blocked hashtags");
  await list.getByLabel("Hashtag", { exact: true }).fill(tag);
  await page.keyboard.press("Enter");
  const dialog = question(page, new RegExp(`^Block #${tag}\\?$`));
  await expect(dialog).toContainText("Approved posts that it holds: 2.");
  await expect(dialog).toContainText("Posts waiting for review that it rejects: 2.");
  const block = dialog.getByRole("button", { name: "Block", exact: true });
  await expectAccessible(page, "the question before a block");
  expect(await state()).toEqual(before);

  await block.dblclick();
  await expect(toastMessage(page, `#${tag} is blocked, 2 held, 2 rejected`)).toBeVisible();
  await expect(dialog).toHaveCount(0);
  expect(await state()).toEqual({ blocked: 1, held: [true, true], decided: [false, false] });

  await list.getByRole("button", { name: `Unblock #${tag}` }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Unblock" }).click();
  await expect(toastMessage(page, `#${tag} is no longer blocked`)).toBeVisible();
  expect(await state()).toEqual(before);
});

test(
  "blocks of an author and of their domain reject waiting posts, and Z undoes blocks and decisions in order",
  { tag: "@slow" },
  async ({ page, desk }) => {
    const author = newAuthor(desk, "seller");
    const by = { author };
    const { path, posts } = await desk.addPosts([
      textPost("First"),
      { ...textPost("Buy this"), ...by },
      { ...textPost("Buy that"), ...by },
      textPost("Other"),
    ]);
    const [first, buyThis, , other] = posts;
    await desk.open(page, path);
    await expectTopCard(page, first);
    await page.keyboard.press("a");
    await expectTopCard(page, buyThis);
    await page.keyboard.press("b");
    const dialog = question(page, /^Block /);
    await expect(dialog.getByRole("radio", { name: /^This account/ })).toBeFocused();
    await expect(dialog).toContainText("Posts waiting for review that it rejects: 2.");
    await dialog.getByRole("button", { name: "Block", exact: true }).click();
    await expect(toastMessage(page, /is blocked, 2 rejected$/)).toBeVisible();
    await expectTopCard(page, other);
    expect(await Promise.all(posts.map(desk.approvedOf))).toEqual([true, false, false, null]);
    await page.keyboard.press("z");
    await expectTopCard(page, buyThis);
    await expect(toastMessage(page, /^Undone for @seller/)).toBeVisible();
    expect(await Promise.all(posts.map(desk.approvedOf))).toEqual([true, null, null, null]);

    await page.keyboard.press("b");
    await expect(dialog.getByRole("radio", { name: /^This account/ })).toBeFocused();
    await page.keyboard.press("ArrowDown");
    await expect(dialog.getByRole("radio", { name: `Everyone on ${desk.remote.host}` })).toBeChecked();
    await expect(dialog).toContainText(/Posts waiting for review that it rejects: \d+\./);
    await expectAccessible(page, "the choice between an account and its domain");
    await page.keyboard.press("Enter");
    await expect(toastMessage(page, new RegExp(`^${desk.remote.host} is blocked`))).toBeVisible();
    // All authors are on this host.
    await expect.poll(() => Promise.all(posts.map(desk.approvedOf))).toEqual([true, false, false, false]);
    await page.keyboard.press("z");
    await expectTopCard(page, buyThis);
    await expect.poll(() => Promise.all(posts.map(desk.approvedOf))).toEqual([true, null, null, null]);

    await page.keyboard.press("z");
    await expectTopCard(page, first);
    await expect.poll(() => desk.approvedOf(first)).toBeNull();
  },
);
