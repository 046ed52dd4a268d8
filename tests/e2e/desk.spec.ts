import type { Page } from "@playwright/test";
import { actionWords } from "#components/desk-settings/action-words.ts";
import {
  topCard,
  expectTopCard,
  announcement,
  deskTest as test,
  textPost,
  newAuthor,
} from "#tests/setup/desk.ts";
import { expect, toastMessage } from "#tests/setup/browser-test.ts";
import { query } from "#tests/setup/database.ts";
import { expectAccessible, tabTo } from "#tests/setup/page-checks.ts";

/* The deck by keyboard, with its announcements. */

/** One that its own server has not shown, and one that another server confirmed. */
async function showOtherSources(
  databaseUrl: string,
  posts: Record<"unseen" | "instead", { id: number } | undefined>,
) {
  await query(
    databaseUrl,
    `UPDATE post SET confirmed_at = CASE WHEN id = $2 THEN confirmed_at END,
                     confirmed_by = CASE WHEN id = $2 THEN 'shower.example' END
      WHERE id IN ($1, $2)`,
    [posts.unseen?.id, posts.instead?.id],
  );
}

test("approve, reject, skip, reason, note and undo are announced to screen readers", async ({
  page,
  desk,
}) => {
  const { path, posts } = await desk.addPosts(["One", "Two", "Three", "Four", "Five", "Six"].map(textPost));
  const [one, two, three, four, five, six] = posts;
  await showOtherSources(desk.databaseUrl, { unseen: two, instead: three });
  const { host } = desk.remote;
  await desk.open(page, path);
  await expectTopCard(page, one);
  await expect(topCard(page)).toContainText(`Seen at ${host}`);
  await expect(announcement(page)).toHaveAttribute("aria-live", "polite");

  await page.keyboard.press("a");
  await expect(announcement(page)).toHaveText(/^Approved\. Next: .+: Two/);
  await expectTopCard(page, two);
  await expect(topCard(page)).toContainText(`Not yet seen at ${host}`);
  await page.keyboard.press("r");
  await expect(announcement(page)).toHaveText(/^Rejected\. Next: .+: Three/);
  await expect(topCard(page)).toContainText(`Confirmed by shower.example; ${host} answers no strangers.`);
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

test("refused actions are announced, not only shown", async ({ page, desk }) => {
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

test("covered media stays covered until revealed; pictures can be stepped through and enlarged", async ({
  page,
  desk,
}) => {
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
  // Uncropped, and frames side by side have equal height.
  await expect(picture).toHaveCSS("object-fit", "contain");
  const heights = await topCard(page)
    .locator("[data-medium] figure > div")
    .evaluateAll((frames) => frames.map((frame) => Math.round(frame.getBoundingClientRect().height)));
  expect(new Set(heights).size).toBe(1);
  await expect(picture).toHaveAttribute("alt", "");
  await page.keyboard.press("e");
  await expect(toastMessage(page, "Show the covered media first")).toBeVisible();
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
  const enlarged = lightbox.locator("img");
  await page.keyboard.press("+");
  await expect(enlarged).toHaveCSS("transform", /^matrix\(1\.5/);
  await page.keyboard.press("0");
  await expect(enlarged).toHaveCSS("transform", /^matrix\(1,/);
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
});

test("the first approval of a covered picture uncovers it, and the second approves", async ({
  page,
  desk,
}) => {
  const covered = { ...textPost("Covered"), kind: "sensitive" } as const;
  const { path, posts } = await desk.addPosts([covered, covered, covered, textPost("Last")]);
  const [byKey, byButton, rejected] = posts;
  const covers = topCard(page).getByRole("button", { name: "Covered – show" });
  const approvals = [
    [byKey, () => page.keyboard.press("a")],
    [byButton, () => page.getByRole("button", { name: "Approve", exact: true }).click()],
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
});

test("the checks, the note, the palette and the orders work by keyboard", async ({ page, desk }) => {
  const { path, posts } = await desk.addPosts(["One", "Two", "Three", "Four", "Five"].map(textPost));
  const [one, two, three, four, five] = posts;
  const checks = page.getByRole("dialog", { name: "Checks of this post" });
  await desk.open(page, path);
  await expectTopCard(page, one);
  await page.keyboard.press("k");
  await expect(checks).toBeVisible();
  await page.keyboard.press("k");
  await expect(checks).toHaveCount(0);
  await page.keyboard.press("k");
  await expect(checks).toBeVisible();
  await page.keyboard.press("r");
  await expect(checks).toHaveCount(0);
  await expectTopCard(page, two);
  await expect.poll(() => desk.approvedOf(one)).toBe(false);

  const note = page.getByRole("textbox", { name: "Note" });
  await page.keyboard.press("n");
  await page.keyboard.type("ask Ana");
  await page.keyboard.press("Enter");
  await expect(note).toHaveCount(0);
  await expect(topCard(page).locator("[data-note]")).toContainText("ask Ana");
  await page.keyboard.press("n");
  await page.keyboard.press("Control+Enter");
  await expectTopCard(page, three);
  await expect.poll(() => desk.stored(two)).toMatchObject({ approved: true, reviewer_notes: "ask Ana" });
  await page.keyboard.press("n");
  await page.keyboard.type("an advertisement");
  await page.keyboard.press("Control+Shift+Enter");
  await expectTopCard(page, four);
  await expect
    .poll(() => desk.stored(three))
    .toMatchObject({ approved: false, reviewer_notes: "an advertisement" });

  await page.keyboard.press("Control+k");
  await page.getByRole("option", { name: "Reject", exact: true }).click();
  await expectTopCard(page, five);
  await expect.poll(() => desk.approvedOf(four)).toBe(false);

  const orders = page.getByRole("group", { name: "Order" });
  await page.keyboard.press("u");
  await expect(orders.getByRole("button", { name: "Doubts first" })).toHaveAttribute("aria-pressed", "true");
  await expect(page).toHaveURL(/order=ai_unsure/);
  await expectTopCard(page, five);
  await orders.getByRole("button", { name: "Oldest" }).click();
  await expect(page).not.toHaveURL(/order=/);
});

test("a post that its author edits is shown again with the difference before it is decided", async ({
  page,
  desk,
}) => {
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
});

test("with grey covers nothing is loaded before it is revealed", { tag: "@slow" }, async ({ page, desk }) => {
  const { path, posts } = await desk.addPosts([
    textPost("First"),
    { kind: "picture", sensitive: true },
    textPost("Third"),
  ]);
  await desk.setPreferences({ covered_media: "grey" });
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes(`/media/post/${posts[1]?.id}/`)) asked.push(request.url());
  });
  try {
    await desk.open(page, path);
    await expectTopCard(page, posts[0]);
    await page.keyboard.press("a");
    await expectTopCard(page, posts[1]);
    const cover = topCard(page).getByRole("button", { name: "Covered – show" });
    await expect(cover).toBeVisible();
    await expect.poll(() => desk.approvedOf(posts[0])).toBe(true);
    expect(asked).toEqual([]);
    await page.keyboard.press("c");
    await expect(topCard(page).locator("[data-medium] img")).toBeVisible();
    await expect.poll(() => asked.length).toBeGreaterThan(0);
  } finally {
    await desk.setPreferences({ covered_media: null });
  }
});

test("the original opens in another tab", async ({ page, context, desk }) => {
  const { path, posts, sources } = await desk.addPosts([textPost("Over there")]);
  await desk.open(page, path);
  await expectTopCard(page, posts[0]);
  const ways = [
    () => page.keyboard.press("o"),
    () =>
      topCard(page)
        .getByRole("link", { name: /^Open original/ })
        .click(),
  ];
  for (const open of ways) {
    const opened = context.waitForEvent("page");
    await open();
    const original = await opened;
    await expect.poll(() => original.url()).toContain(desk.remote.origin);
    expect(original.url()).toContain(sources[0]?.id);
    expect(await original.evaluate(() => window.opener === null)).toBe(true);
    await original.close();
    await expectTopCard(page, posts[0]);
  }
});

test(
  "a hashtag is blocked from the card, with a choice among several",
  { tag: "@slow" },
  async ({ page, desk }) => {
    const tag = (name: string) => ({ name, url: `${desk.remote.origin}/tags/${name}` });
    const { path, posts } = await desk.addPosts([
      { ...textPost("Win a bicycle"), raw: { tags: [tag("Herons"), tag("WinABicycle")] } },
      textPost("Other"),
    ]);
    const blocked = async () =>
      (await desk.call<{ hashtag: string }[]>("GET", "/reblog-controls/blocked-hashtags")).json.map((each) =>
        each.hashtag.toLowerCase(),
      );
    await desk.open(page, path);
    await expectTopCard(page, posts[0]);
    await topCard(page).getByRole("button", { name: "Block hashtag" }).click();
    await page
      .getByRole("dialog", { name: "Block a hashtag" })
      .getByRole("button", { name: /bicycle/i })
      .click();
    await expect(toastMessage(page, /bicycle is blocked, 1 rejected$/i)).toBeVisible();
    expect(await blocked()).toEqual(["winabicycle"]);
    await expectTopCard(page, posts[1]);
    expect(await desk.approvedOf(posts[0])).toBe(false);
    await page
      .getByRole("region", { name: /Messages/ })
      .getByRole("button", { name: "Undo" })
      .click();
    await expect(toastMessage(page, /^Undone/)).toBeVisible();
    expect(await blocked()).toEqual([]);
  },
);

test("closing a note restores the focus", { tag: "@slow" }, async ({ page, desk }) => {
  const { path, posts } = await desk.addPosts([textPost("One"), textPost("Two")]);
  await desk.open(page, path);
  await expectTopCard(page, posts[0]);
  const note = page.getByRole("button", { name: "Note", exact: true });
  await note.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("textbox", { name: "Note" })).toBeFocused();
  await page.keyboard.type("Nice heron");
  await page.keyboard.press("Escape");
  await expect(note).toBeFocused();
});

test("an author is blocked and unblocked by undo", { tag: "@slow" }, async ({ page, desk }) => {
  const author = newAuthor(desk, "promoter");
  const { path, posts } = await desk.addPosts([{ ...textPost("Buy this"), author }, textPost("Other")]);
  const blocked = async () =>
    (await desk.call<{ account_identifier: string }[]>("GET", "/reblog-controls/blocked-users")).json.map(
      (each) => each.account_identifier,
    );
  await desk.open(page, path);
  await expectTopCard(page, posts[0]);
  await page.keyboard.press("b");
  const dialog = page.getByRole("dialog", { name: `Block @promoter@${desk.remote.host}?` });
  await expect(dialog).toContainText("Posts waiting for review that it rejects: 1.");
  await expect(dialog.getByRole("radio", { name: /^This account/ })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(toastMessage(page, /is blocked, 1 rejected$/)).toBeVisible();
  await expectTopCard(page, posts[1]);
  expect(await desk.approvedOf(posts[0])).toBe(false);
  expect(await blocked()).toEqual([expect.stringContaining(author.username)]);
  // Alt-T moves the focus to the messages.
  await page.keyboard.press("Alt+t");
  await tabTo(page, page.getByRole("region", { name: /Messages/ }).getByRole("button", { name: "Undo" }), 4);
  await page.keyboard.press("Enter");
  await expect(toastMessage(page, /^Undone/)).toBeVisible();
  expect(await blocked()).toEqual([]);
  expect(await desk.approvedOf(posts[0])).toBe(null);
});

test(
  "? lists all keys, and other keys do nothing while the list is open",
  { tag: "@slow" },
  async ({ page, desk }) => {
    const { path, posts } = await desk.addPosts([textPost("Still here"), textPost("Next")]);
    await desk.open(page, path);
    await expectTopCard(page, posts[0]);
    await page.keyboard.press("?");
    const dialog = page.getByRole("dialog", { name: "Keys" });
    for (const name of Object.values(actionWords)) {
      await expect(dialog.getByRole("term").filter({ hasText: name }).first()).toBeVisible();
    }
    await expect(dialog.getByText("Reject: Off topic")).toBeVisible();
    await expectAccessible(page, "the list of keys");
    await page.keyboard.press("a");
    await expectTopCard(page, posts[0]);
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await page.keyboard.press("a");
    await expectTopCard(page, posts[1]);
  },
);

test("switched-off keys do nothing at the desk but Ctrl-Z", { tag: "@slow" }, async ({ page, desk }) => {
  const { path, posts } = await desk.addPosts(["One", "Two"].map(textPost));
  try {
    await desk.open(page, "/settings#desk");
    await page.getByRole("switch", { name: "Single-key shortcuts" }).focus();
    await page.keyboard.press("Space");
    await saveDesk(page);
    await desk.open(page, path);
    await expectTopCard(page, posts[0]);
    const approve = page.getByRole("button", { name: /^Approve(?! instead)/ });
    for (const key of ["a", "r", "s", "1", "?", "c"]) await page.keyboard.press(key);
    await expectTopCard(page, posts[0]);
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(approve).not.toHaveAttribute("aria-keyshortcuts");
    await tabTo(page, /^Approve/);
    await page.keyboard.press("Enter");
    await expectTopCard(page, posts[1]);
    await expect(approve).toBeFocused();
    await page.keyboard.press("Control+z");
    await expectTopCard(page, posts[0]);
  } finally {
    await desk.setPreferences({ desk_keys_off: null });
  }
});

async function saveDesk(page: Page): Promise<void> {
  const saved = page.waitForResponse((answer) => answer.url().endsWith("/api/v1/profile"));
  await page.locator("#desk").getByRole("button", { name: "Save" }).click();
  expect((await saved).ok()).toBe(true);
}

test("dialogs of the desk pass axe and restore the focus", { tag: "@slow" }, async ({ page, desk }) => {
  const { path, posts } = await desk.addPosts([{ kind: "picture_without_alt" }, textPost("Next")]);
  await desk.open(page, path);
  await expectTopCard(page, posts[0]);
  for (const name of [/^Filters/, "Desk settings", "Keys"]) {
    const button = page.getByRole("button", { name });
    await button.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toBeVisible();
    await expectAccessible(page, String(name));
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(button).toBeFocused();
  }
  const thumb = topCard(page).getByRole("button", { name: "Enlarge picture 1, no description" });
  await thumb.click();
  await expect(page.getByRole("dialog", { name: "Attachment 1 of 1" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(thumb).toBeFocused();
  await page.keyboard.press("n");
  await expect(page.getByRole("textbox", { name: "Note" })).toBeFocused();
  await expectAccessible(page, "the note");
});

test(
  "a card leaves with an animation, or at once with reduced motion",
  { tag: "@slow" },
  async ({ page, desk }) => {
    const { path, posts } = await desk.addPosts(["One", "Two", "Three"].map(textPost));
    // Recorded at its start, because on a busy machine it may end before it is found.
    await page.addInitScript(() => {
      const animate = Reflect.get<Element, "animate">(Element.prototype, "animate");
      Element.prototype.animate = function (frames, options) {
        const { dataset } = document.documentElement;
        if (typeof options === "object") dataset.moved = `${dataset.moved ?? ""} ${String(options.duration)}`;
        return animate.call(this, frames, options);
      };
    });
    const moved = page.locator("html");
    await desk.open(page, path);
    await expectTopCard(page, posts[0]);
    await page.keyboard.press("a");
    await expect(moved).toHaveAttribute("data-moved", " 160");
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.keyboard.press("a");
    await expect(moved).toHaveAttribute("data-moved", " 160 0");
    await expectTopCard(page, posts[2]);
    await expect(page.locator('[data-place="leaving"]')).toHaveCount(0);
  },
);
