import type { Page } from "@playwright/test";
import { expect, toastMessage } from "#tests/setup/browser-test.ts";
import {
  announcement,
  decisionLog,
  expectTopCard,
  outboxState,
  test,
  textPost,
  topCard,
  type DeskInstallation,
  type StoredPost,
} from "#tests/setup/desk.ts";
import { expectAccessible } from "#tests/setup/page-checks.ts";

/* The deck by keyboard, with its announcements. */

test("approve, reject, skip, reason, note and undo are announced to screen readers", async ({
  page,
  desk,
}) => {
  const { path, posts } = await desk.addPosts(["One", "Two", "Three", "Four", "Five", "Six"].map(textPost));
  const [one, two, three, four, five, six] = posts;
  await desk.open(page, path);
  await expectTopCard(page, one);
  await expect(announcement(page)).toHaveAttribute("aria-live", "polite");

  await page.keyboard.press("a");
  await expect(announcement(page)).toHaveText(/^Approved\. Next: .+: Two/);
  await expectTopCard(page, two);
  await page.keyboard.press("r");
  await expect(announcement(page)).toHaveText(/^Rejected\. Next: .+: Three/);
  await page.keyboard.press("s");
  await expect(announcement(page)).toHaveText(/^Skipped\. Next: .+: Four/);
  await page.keyboard.press("2");
  await expect(announcement(page)).toHaveText(/^Rejected: Off topic\. Next: .+: Five/);
  await expectTopCard(page, five);

  await page.keyboard.press("n");
  const note = page.getByRole("textbox", { name: "Note" });
  await expect(note).toBeFocused();
  await page.keyboard.type("are they sure? 2 z");
  await expectTopCard(page, five);
  await page.keyboard.press("Enter");
  await expect(note).toHaveCount(0);
  await page.keyboard.press("a");
  await expect(announcement(page)).toHaveText(/^Approved\. Next: .+: Six/);
  await expect.poll(async () => (await desk.stored(five)).reviewer_notes).toBe("are they sure? 2 z");
  expect(await Promise.all([one, two, three, four, five, six].map(desk.approvedOf))).toEqual([
    true,
    false,
    null,
    false,
    true,
    null,
  ]);

  await page.keyboard.press("z");
  await expect(announcement(page)).toHaveText(/^Undone\. Next: .+: Five/);
  await expectTopCard(page, five);
  await page.keyboard.press("Control+z");
  await expectTopCard(page, four);
  await expect
    .poll(async () => [await desk.approvedOf(four), await desk.approvedOf(five)])
    .toEqual([null, null]);

  for (const key of ["a", "a", "a"]) await page.keyboard.press(key);
  await expectTopCard(page, three);
  await page.keyboard.press("a");
  await expect(announcement(page)).toHaveText(/^Approved\. No more posts\./);
  await expect(page.getByText("No more posts match the filters")).toBeVisible();
  await expect.poll(() => desk.approvedOf(three)).toBe(true);
});

test("refused actions are announced, not only shown", { tag: "@slow" }, async ({ page, desk }) => {
  const { path, posts, streamId } = await desk.addPosts([textPost("Alone"), textPost("Last")]);
  await desk.open(page, path);
  await expectTopCard(page, posts[0]);
  await page.keyboard.press("a");
  await expect.poll(() => desk.approvedOf(posts[0])).toBe(true);
  expect(await (await desk.consumerOf(streamId))("GET", "/curated/next")).toMatchObject({
    status: 200,
    json: { fenliu_post_id: posts[0]?.id },
  });
  await page.keyboard.press("z");
  await expect(toastMessage(page, "Too late to undo")).toBeVisible();
  await expect(announcement(page)).toHaveText(/^Too late to undo: .*already has this post/i);
  await expect(announcement(page)).toHaveAttribute("aria-live", "assertive");
  expect(await desk.approvedOf(posts[0])).toBe(true);
});

test(
  "covered media stays covered until revealed; pictures can be stepped through and enlarged",
  { tag: "@slow" },
  async ({ page, desk }) => {
    const { path, posts, sources } = await desk.addPosts([
      { kind: "pictures", sensitive: true },
      { kind: "pictures", spoiler: "Spiders" },
    ]);
    const count = sources[0]?.media.length ?? 0;
    expect(count).toBeGreaterThan(1);
    await desk.open(page, path);
    await expectTopCard(page, posts[0]);
    const covers = topCard(page).getByRole("button", { name: "Covered – show" });
    const picture = topCard(page).locator("[data-medium] img").first();
    await expect(covers).toHaveCount(count);
    await expect(picture).toHaveCSS("filter", /blur/);
    await expect(picture).toHaveAttribute("alt", "");
    await page.keyboard.press("e");
    await expect(page.getByText("Show the covered media first")).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(covers).toHaveCount(count);

    await page.keyboard.press("c");
    await expect(covers).toHaveCount(0);
    await expect(picture).toHaveCSS("filter", "none");
    await page.keyboard.press("c");
    await expect(covers).toHaveCount(count);
    await page.keyboard.press("c");

    const marked = topCard(page).locator("[data-medium].outline-2");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await expect(marked).toHaveAttribute("data-medium", "1");
    await page.keyboard.press("ArrowLeft");
    await expect(marked).toHaveAttribute("data-medium", "0");
    await page.keyboard.press("e");
    const lightbox = page.getByRole("dialog");
    await expect(lightbox).toHaveAccessibleName(`Attachment 1 of ${count}`);
    await page.keyboard.press("ArrowRight");
    await expect(lightbox).toHaveAccessibleName(`Attachment 2 of ${count}`);
    await expectAccessible(page, "the lightbox");
    // Other keys of the desk are off while it is open.
    await page.keyboard.press("c");
    await page.keyboard.press("n");
    await expect(lightbox).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(lightbox).toHaveCount(0);
    await expect(covers).toHaveCount(0);

    await page.keyboard.press("a");
    await expectTopCard(page, posts[1]);
    await expect(topCard(page).getByText("Spiders")).toBeVisible();
    await expect(covers).not.toHaveCount(0);
  },
);

test(
  "the first approval of a covered picture uncovers it, and the second approves",
  { tag: "@slow" },
  async ({ page, desk }) => {
    const covered = { ...textPost("Covered"), kind: "sensitive" } as const;
    const { path, posts } = await desk.addPosts([covered, covered, covered, textPost("Last")]);
    const [byKey, byButton, rejected] = posts;
    const covers = topCard(page).getByRole("button", { name: "Covered – show" });
    // The second click of a double click is meant for what was there before.
    const approvals = [
      [byKey, () => page.keyboard.press("a")],
      [byButton, () => page.getByRole("button", { name: "Approve", exact: true }).dblclick()],
    ] as const;
    await desk.open(page, path);
    for (const [post, approve] of approvals) {
      await expectTopCard(page, post);
      await expect(covers).not.toHaveCount(0);
      await approve();
      await expect(covers).toHaveCount(0);
      await expectTopCard(page, post);
      expect(await desk.approvedOf(post)).toBeNull();
      await approve();
      await expect.poll(() => desk.approvedOf(post)).toBe(true);
    }
    await expectTopCard(page, rejected);
    await page.keyboard.press("r");
    await expect.poll(() => desk.approvedOf(rejected)).toBe(false);
  },
);

test(
  "a post that its author edits is shown again with the difference before it is decided",
  { tag: "@slow" },
  async ({ page, desk }) => {
    const { path, posts, sources, streamId } = await desk.addPosts([
      textPost("A heron"),
      textPost("A swan"),
      textPost("Last"),
    ]);
    const [heron, swan] = posts;
    const edit = async (index: number, text: string) => {
      desk.remote.control.editPost(sources[index]?.id ?? "", [text]);
      await desk.call("POST", `/streams/${streamId}/fetch`);
    };
    await desk.open(page, path);
    await expectTopCard(page, heron);
    // The card is on the screen: its decision arrives after the edit.
    await edit(0, "Buy coins");
    await page.keyboard.press("a");
    await expectTopCard(page, swan);
    await expect(page.locator('[data-place="next"]')).toHaveAttribute("data-card", String(heron?.id));
    await page.keyboard.press("a");
    await expectTopCard(page, heron);
    await expect(topCard(page)).toContainText("Buy coins");
    await expect(topCard(page).locator("del").last()).toContainText("heron");
    expect(await desk.approvedOf(heron)).toBeNull();
    await page.keyboard.press("r");
    await expect.poll(() => desk.approvedOf(heron)).toBe(false);
    expect(await desk.approvedOf(swan)).toBe(true);
  },
);

const DECISIONS = "**/api/v1/review/decisions";

const log = async (desk: DeskInstallation, posts: readonly StoredPost[]) =>
  (await decisionLog(desk.call))
    .filter(({ post_id }) => posts.some(({ id }) => id === post_id))
    .map(({ post_id, action }) => [posts.findIndex(({ id }) => id === post_id), action]);

const waiting = async (page: Page) => (await outboxState(page)).waiting;

test("decisions survive a dead network, lost answers and a reload, and arrive once and in order", async ({
  page,
  context,
  desk,
}) => {
  const { path, posts } = await desk.addPosts(Array.from({ length: 8 }, (_, n) => textPost(`Post ${n}`)));
  await desk.open(page, path);
  await expectTopCard(page, posts[0]);
  const press = async (keys: string, next: number) => {
    for (const key of keys) await page.keyboard.press(key);
    await expectTopCard(page, posts[next]);
  };
  await context.setOffline(true);
  await press("ar1zs", 3);
  await expect(page.getByText("5 waiting")).toBeVisible();
  await expect(page.getByText("No connection.")).toBeVisible();
  expect(await log(desk, posts)).toEqual([]);

  // The server has the decisions, the browser does not know.
  let arrived = 0;
  await context.route(DECISIONS, async (route) => {
    await route.fetch();
    arrived += 1;
    // A reload may have aborted the request.
    await route.abort().catch(() => undefined);
  });
  await context.setOffline(false);
  await expect.poll(() => arrived, { timeout: 20_000 }).toBeGreaterThan(0);
  await press("a", 4);
  await expect.poll(() => waiting(page)).toBe(6);
  await page.reload();
  await expectTopCard(page, posts[4]);
  await expect.poll(() => waiting(page)).toBe(6);
  await press("r", 5);
  await context.unroute(DECISIONS);
  await expect.poll(async () => (await outboxState(page)).status, { timeout: 20_000 }).toBe("saved");
  expect(await log(desk, posts)).toEqual([
    [0, "approve"],
    [1, "reject"],
    [2, "reject"],
    [2, "unreview"],
    [2, "skip"],
    [3, "approve"],
    [4, "reject"],
  ]);
});

test("the number that waits stands beside Review and in the title as on Home, and follows the desk", async ({
  page,
  desk,
}) => {
  await desk.addPosts(["One", "Two"].map(textPost));
  await desk.open(page, "/");
  const menu = page.getByRole("navigation", { name: "Main" });
  const beside = menu.getByRole("link", { name: /^Review/ });
  const onHome = page.locator('[data-figure="unreviewed"]');
  const shown = async () => [await beside.textContent(), await page.title(), await onHome.textContent()];
  const says = (count: number) => [`Review${count} waiting`, `(${count}) Home · Sluice`, String(count)];
  await expect(beside).toContainText("waiting");
  const before = Number(await onHome.textContent());
  expect(await shown()).toEqual(says(before));

  await beside.click();
  await expect(topCard(page)).toBeVisible();
  await expect(page).toHaveTitle(`(${before}) Review · Sluice`);
  await page.keyboard.press("r");
  await expect(page).toHaveTitle(`(${before - 1}) Review · Sluice`);
  await expect.poll(async () => (await outboxState(page)).waiting).toBe(0);
  await menu.getByRole("link", { name: "Home" }).click();
  await expect.poll(shown).toEqual(says(before - 1));
});
