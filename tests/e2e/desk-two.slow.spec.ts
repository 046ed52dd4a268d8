import type { Page } from "@playwright/test";
import { expect } from "#tests/setup/browser-test.ts";
import { query } from "#tests/setup/database.ts";
import {
  addMember,
  decisionLog,
  expectTopCard,
  newPage,
  outboxState,
  test,
  textPost,
  type DeskInstallation,
  type StoredPost,
} from "#tests/setup/desk.ts";

/* After an expired lease, or in two tabs of a member, the other's decision is shown. */

const isSaved = (page: Page) =>
  expect.poll(async () => (await outboxState(page)).status, { timeout: 15_000 }).toBe("saved");

const endLeases = ({ databaseUrl }: DeskInstallation) =>
  query(databaseUrl, "UPDATE review_lease SET expires_at = now() - interval '1 second'");

const deedsOn = async (desk: DeskInstallation, post: StoredPost | undefined) =>
  (await decisionLog(desk.call)).filter((deed) => deed.post_id === post?.id).map(({ action }) => action);

const notice = (page: Page, text: string) => page.getByText(text).and(page.locator("div"));

test("an expired lease gives the card to another reviewer, and the first one is told", async ({
  browser,
  page,
  desk,
}) => {
  const { path, posts } = await desk.addPosts(["One", "Two"].map(textPost));
  const other = await addMember(browser, desk);
  await desk.open(page, path);
  await expectTopCard(page, posts[0]);
  await endLeases(desk);
  await other.page.goto(path);
  await expectTopCard(other.page, posts[0]);

  // The first activity after ten minutes renews the leases.
  await page.clock.setFixedTime(Date.now() + 11 * 60_000);
  await page.locator('[data-place="top"]').click({ position: { x: 5, y: 5 } });
  const told = "Another reviewer has this post now. Your next decision moves on.";
  await expect(notice(page, told)).toBeVisible();
  await expectTopCard(page, posts[0]);
  await page.keyboard.press("a");
  await expect(page.locator('li[data-status="conflict"]')).toHaveCount(1);
  await isSaved(page);
  expect(await deedsOn(desk, posts[0])).toEqual([]);
  await other.page.keyboard.press("r");
  await expect.poll(() => deedsOn(desk, posts[0])).toEqual(["reject"]);
  await other.context.close();
});

test("a conflicting decision is shown, and the first one stands", async ({ browser, page, desk }) => {
  const { path, posts } = await desk.addPosts(["One", "Two"].map(textPost));
  const other = await addMember(browser, desk);
  await desk.open(page, path);
  await expectTopCard(page, posts[0]);
  await endLeases(desk);
  await other.page.goto(path);
  await expectTopCard(other.page, posts[0]);
  await page.keyboard.press("a");
  await isSaved(page);
  await expect.poll(() => deedsOn(desk, posts[0])).toEqual(["approve"]);
  await other.page.keyboard.press("r");
  const toast = other.page.getByRole("region", { name: "Messages", exact: true });
  await expect(toast).toContainText("Your decision was not saved");
  const line = other.page.locator('li[data-status="conflict"]');
  await expect(line).toContainText("Already approved by");
  expect(await deedsOn(desk, posts[0])).toEqual(["approve"]);
  await line.getByRole("button", { name: /^Remove from this list/ }).click();
  await expect(line).toHaveCount(0);
  await other.context.close();
});

test("a decision in one tab removes the card from the member's other tab", async ({ browser, desk }) => {
  const { path, posts } = await desk.addPosts(["One", "Two", "Three", "Four"].map(textPost));
  const member = await addMember(browser, desk);
  const [one, two] = [member.page, await newPage(member.context)];
  for (const page of [one, two]) {
    await page.goto(path);
    await expectTopCard(page, posts[0]);
  }
  const told = notice(two, `Approved by ${member.name} meanwhile. Your next decision moves on.`);
  // Both decisions are known before the other tab asks for cards.
  let release = () => {};
  const saved = new Promise<void>((resolve) => (release = resolve));
  await two.route("**/review/deck?*", (route) => saved.then(() => route.continue()));
  await one.keyboard.press("a");
  await expectTopCard(one, posts[1]);
  await one.keyboard.press("a");
  await expectTopCard(one, posts[2]);
  await isSaved(one);
  release();
  await expect(told).toBeVisible();
  await expectTopCard(two, posts[0]);
  // The card behind it was not visible, so it is removed without a message.
  await two.keyboard.press("r");
  await expect(told).toBeHidden();
  await expectTopCard(two, posts[2]);
  await isSaved(two);
  for (const post of posts.slice(0, 2)) expect(await deedsOn(desk, post)).toEqual(["approve"]);
  await member.context.close();
});
