import type { Page } from "@playwright/test";
import { throwOnError } from "#tests/setup/api-client.ts";
import { expect, panelOf } from "#tests/setup/browser-test.ts";
import { newAuthor, test, textPost, type DeskInstallation } from "#tests/setup/desk.ts";

/* After a reported opt-out the author's other posts are held until a member decides. */

const REPORT = {
  reason: "Author opts out of bot interaction (nobot)",
  error_details: { error_type: "nobot" },
};

/** Two approved posts of an author; a bot took the first and reported the opt-out. */
async function addReported(desk: DeskInstallation) {
  const author = newAuthor(desk, `leaver${Date.now()}`);
  const { posts, streamId } = await desk.addPosts(
    ["One", "Two"].map((text) => ({ ...textPost(text), author })),
  );
  for (const { id } of posts) await desk.call("POST", `/posts/${id}/approve`);
  const consume = throwOnError(await desk.consumerOf(streamId));
  const next = async () =>
    (await consume<{ fenliu_post_id?: number }>("GET", "/curated/next")).json.fenliu_post_id;
  const ids = posts.map(({ id }) => id);
  expect(await next()).toBe(ids[0]);
  await consume("POST", `/curated/${ids[0]}/error`, REPORT);
  return { ids, account: `@${author.username}@${desk.remote.host}`, next };
}

async function decide(page: Page, desk: DeskInstallation, button: string, account: string): Promise<void> {
  await desk.open(page, "/queue");
  await expect(panelOf(page, "Held").getByRole("link", { name: /Opt-out reported/ })).toBeVisible();
  await desk.open(page, "/blocking");
  const reported = panelOf(page, "Reported opt-outs");
  await reported.getByRole("button", { name: `${button}: ${account}` }).click();
  await expect(reported).toHaveCount(0);
}

test("dismissing a reported opt-out returns the author's other post to the queue", async ({ page, desk }) => {
  const { ids, account, next } = await addReported(desk);
  expect(await next()).toBeUndefined();
  await decide(page, desk, "Not an opt-out", account);
  expect(await next()).toBe(ids[1]);
});

test("confirming a reported opt-out deletes the author's posts and blocks the author", async ({
  page,
  desk,
}) => {
  const { account, ids, next } = await addReported(desk);
  const stored = async () => {
    const path = `/posts?author=${encodeURIComponent(account)}&limit=1`;
    return (await desk.call<{ total: number }>("GET", path)).json.total;
  };
  const posts = await stored();
  expect(posts).toBe(2);

  await desk.open(page, `/posts/${ids[1]}`);
  await page.getByRole("link", { name: "Decide" }).click();
  await page.getByRole("button", { name: /^Confirm opt-out/ }).click();
  const dialog = page.getByRole("dialog", { name: `Confirm the opt-out of ${account}?` });
  await expect(dialog).toContainText(`Deletes all stored posts of this author (${posts})`);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(await stored()).toBe(posts);
  await page.getByRole("button", { name: /^Confirm opt-out/ }).press("Enter");
  await dialog.getByRole("button", { name: "Confirm opt-out" }).press("Enter");
  await expect(page.getByText(`${account} is forgotten and blocked`)).toBeVisible();
  expect([await stored(), await next()]).toEqual([0, undefined]);
  const reported = panelOf(page, "Reported opt-outs");
  await expect(reported).toHaveCount(0);
  await expect(page.getByText(account.slice(1)).first()).toBeVisible();
});
