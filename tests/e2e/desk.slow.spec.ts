import { brotliCompressSync } from "node:zlib";
import type { SimMedia } from "#tests/simulated-server/server.ts";
import { expect, toastMessage } from "#tests/setup/browser-test.ts";
import {
  decisionLog,
  expectTopCard,
  newAuthor,
  outboxState,
  test,
  textPost,
  topCard,
} from "#tests/setup/desk.ts";
import { childrenOf } from "#tests/setup/program.ts";
import { expectAccessible, tabTo } from "#tests/setup/page-checks.ts";

/* Rare views of the desk, and the desk without a network. */

const picture = (id: string): SimMedia => ({
  id,
  type: "image",
  picture: { seed: id, theme: "garden", width: 800, height: 600, format: "jpeg", quality: 80 },
  alt: null,
});

test("the checks, the note and the orders work", async ({ page, desk }) => {
  const { path, posts } = await desk.addPosts(["One", "Two", "Three", "Four"].map(textPost));
  const [one, two, three, four] = posts;
  const checks = page.getByRole("dialog", { name: "Checks of this post" });
  await desk.open(page, path);
  await expectTopCard(page, one);
  await page.keyboard.press("k");
  await expect(checks).toBeVisible();
  await page.keyboard.press("r");
  await page.keyboard.press("Escape");
  await expect(checks).toHaveCount(0);
  await expectTopCard(page, one);
  await page.keyboard.press("r");
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
  await page.keyboard.press("z");
  await expectTopCard(page, two);
  await expect(note).toHaveCount(0);
  await page.keyboard.press("a");
  await expectTopCard(page, three);
  await expect.poll(() => desk.stored(two)).toMatchObject({ approved: true, reviewer_notes: "ask Ana" });
  await page.keyboard.press("n");
  await page.keyboard.type("an advertisement");
  await page.keyboard.press("Control+Shift+Enter");
  await expectTopCard(page, four);
  await expect
    .poll(() => desk.stored(three))
    .toMatchObject({ approved: false, reviewer_notes: "an advertisement" });

  const orders = page.getByRole("group", { name: "Order" });
  await orders.getByRole("button", { name: "Doubts first" }).click();
  await expect(orders.getByRole("button", { name: "Doubts first" })).toHaveAttribute("aria-pressed", "true");
  await expect(page).toHaveURL(/order=ai_unsure/);
  await expectTopCard(page, four);
  await orders.getByRole("button", { name: "Oldest" }).click();
  await expect(page).not.toHaveURL(/order=/);
});

test("at 1280 × 800 nothing beside the card is cut off, or moves from card to card or for a message", async ({
  page,
  desk,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const author = newAuthor(desk, "place");
  const original = picture("place");
  const { path, posts } = await desk.addPosts([
    { ...textPost("One"), author },
    { ...textPost("Two"), media: [original] },
    { ...textPost("Three, a copy"), author, media: [{ ...original, id: "copy" }] },
    { ...textPost("Four\n".repeat(40)), author },
    { ...textPost("Five"), author },
    { ...textPost("Last"), author: newAuthor(desk, "alone") },
  ]);
  const places = async () => {
    const facts = topCard(page).locator("aside");
    const boxes = [
      facts.getByRole("heading", { name: "Author's record" }),
      facts.getByRole("button", { name: "Block" }),
      page.getByRole("heading", { name: "Reject with a reason" }),
      page.getByRole("heading", { name: "Recent decisions" }),
      page.getByRole("group", { name: "Decide" }),
    ];
    return Promise.all(boxes.map((box) => box.boundingBox()));
  };
  await desk.open(page, path);
  await expectTopCard(page, posts[0]);
  const before = await places();
  for (const post of posts.slice(1, 4)) {
    await page.keyboard.press("a");
    await expectTopCard(page, post);
    if (post === posts[2])
      await expect(topCard(page).getByRole("button", { name: /^Compare/ })).toBeVisible();
    expect(await places()).toEqual(before);
  }
  // In the visible part of the page, above what comes below.
  const more = await topCard(page)
    .getByRole("button", { name: /^1 more/ })
    .boundingBox();
  const reasons = before[2];
  expect((more?.y ?? 0) + (more?.height ?? 0)).toBeLessThan(reasons?.y ?? 0);
  expect((more?.x ?? 0) + (more?.width ?? 0)).toBeLessThanOrEqual(1280);
  await expect(page.getByRole("region", { name: "Recent decisions" }).getByRole("listitem")).toHaveCount(3);
  for (const key of ["a", "r", "m"]) await page.keyboard.press(key);
  await expectTopCard(page, posts[5]);
  await expect(page.getByText("No other posts by this author are waiting")).toBeVisible();
  expect(await places()).toEqual(before);
});

test("with grey covers nothing is loaded before it is revealed", async ({ page, desk }) => {
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

test("switched-off keys do nothing at the desk but Ctrl-Z", async ({ page, desk }) => {
  const { path, posts } = await desk.addPosts(["One", "Two"].map(textPost));
  await desk.open(page, "/settings#desk");
  await page.getByRole("switch", { name: "Single-key shortcuts" }).press("Space");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(toastMessage(page, "Saved")).toBeVisible();
  await desk.open(page, path);
  await expectTopCard(page, posts[0]);
  const approve = page.getByRole("button", { name: /^Approve/ });
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
});

test("dialogs of the desk pass axe and restore the focus", async ({ page, desk }) => {
  const { path, posts } = await desk.addPosts([{ kind: "picture_without_alt" }, textPost("Next")]);
  await desk.open(page, path);
  await expectTopCard(page, posts[0]);
  for (const name of [/^Filters/, "Recent decisions"]) {
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
  await thumb.click();
  await page.getByRole("dialog").getByRole("button", { name: "Note" }).click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.type("a remark");
  await expect(page.getByRole("textbox", { name: "Note" })).toHaveValue("a remark");
  await expectTopCard(page, posts[0]);
  await expectAccessible(page, "the note");
});

test("a shortcut works once per press after visits to other pages; off the desk none works", async ({
  page,
  desk,
}) => {
  const { path, posts } = await desk.addPosts(["One", "Two", "Three", "Four"].map(textPost));
  const approvals = async (post: { id: number } | undefined) => {
    const { json } = await desk.call<{ history: { action: string }[] }>("GET", `/posts/${post?.id}`);
    return json.history
      .map(({ action }) => action)
      .filter((action) => /^(un)?(approve|review)$/.test(action));
  };
  await desk.open(page, path);
  await expectTopCard(page, posts[0]);
  await page.evaluate(() => (document.documentElement.dataset.same = "document"));
  for (const visit of [1, 2]) {
    await page.getByRole("navigation").getByRole("link", { name: "Queue" }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Queue" })).toBeVisible();
    for (const key of ["a", "r", "1", "z"]) await page.keyboard.press(key);
    await page.goBack();
    await expectTopCard(page, posts[visit - 1]);
    await page.keyboard.press("a");
    await expectTopCard(page, posts[visit]);
    await expect.poll(() => approvals(posts[visit - 1])).toEqual(["approve"]);
  }
  expect(await approvals(posts[0])).toEqual(["approve"]);
  // A page load would make the test pass in any case.
  expect(await page.evaluate(() => document.documentElement.dataset.same)).toBe("document");
});

test("filters survive decisions, undo, view changes, a post's page and a reload", async ({ page, desk }) => {
  const { path, posts } = await desk.addPosts([
    { kind: "picture", paragraphs: ["Heron one"] },
    textPost("Heron without a picture"),
    { kind: "picture", paragraphs: ["Heron two"] },
    { kind: "picture", paragraphs: ["Heron three"] },
  ]);
  const filters = ["has_media=true", "q=heron", "order=newest", path.split("?")[1] ?? ""];
  const expectFilters = () => {
    const search = new URLSearchParams(new URL(page.url()).search);
    for (const each of filters) {
      const [name = "", value] = each.split("=");
      expect(search.get(name), name).toBe(value);
    }
  };
  await desk.open(page, `/review?view=grid&${filters.join("&")}`);
  const tiles = page.getByRole("list", { name: "Posts" }).getByRole("listitem");
  await expect(tiles).toHaveCount(3);
  // An approval without its picture on the screen is asked about first.
  const picture = tiles.first().locator('img[src^="/media/post/"]');
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  await tiles.first().getByRole("checkbox").check();
  await page.getByRole("button", { name: "Approve 1" }).click();
  await expect(tiles).toHaveCount(2);
  expectFilters();
  await toastMessage(page, "1 post approved").waitFor();
  await page
    .getByRole("region", { name: /messages/i })
    .getByRole("button", { name: "Undo" })
    .click();
  await expect(tiles).toHaveCount(3);
  expectFilters();

  await page.getByRole("link", { name: "Deck", exact: true }).click();
  await expectTopCard(page, posts[3]);
  expectFilters();
  await page.keyboard.press("a");
  await expectTopCard(page, posts[2]);
  await page.keyboard.press("z");
  await expectTopCard(page, posts[3]);
  await page.keyboard.press("r");
  await expectTopCard(page, posts[2]);
  expectFilters();
  await page.reload();
  await expectTopCard(page, posts[2]);
  expectFilters();

  const herons = page.locator("[data-post]").filter({ hasText: "Heron" });
  await page.getByRole("link", { name: "Grid", exact: true }).click();
  await expect(herons).toHaveCount(2);
  expectFilters();
  await herons.filter({ hasText: "Heron two" }).getByRole("link").first().click();
  await expect(page).toHaveURL(/\/posts\/\d+/);
  await page.goBack();
  await expect(herons).toHaveCount(2);
  expectFilters();
});

test("invalid filters in the address are named and can be cleared", async ({ page, desk }) => {
  const { posts } = await desk.addPosts([textPost("Found without a filter")]);
  const bad = "stream_id=abc&happened=reviewed&until=2026-02-30";
  const found = page.getByText("Found without a filter").first();
  for (const [path, title, shown] of [
    [`/posts?${bad}`, "The posts could not be loaded", found],
    [`/review?${bad}&view=grid`, "The posts could not be loaded", found],
    [`/review?${bad}`, "The posts could not be loaded", topCard(page)],
  ] as const) {
    await desk.open(page, path);
    const alert = page.getByRole("alert").filter({ hasText: title });
    await expect(alert).toContainText("stream_id");
    await expect(alert).toContainText("until");
    await expect(page.getByRole("button", { name: "Remove filter: Stream: abc" })).toBeVisible();
    // The same URL would be refused again.
    await expect(page.getByRole("button", { name: "Try again" })).toHaveCount(0);
    await alert.getByRole("button", { name: "Clear filters" }).click();
    await expect(alert).toHaveCount(0);
    await expect(shown).toBeVisible();
  }
  expect(posts).toHaveLength(1);
});

test("in the grid one click reveals all covered pictures of a post, and only then they can be enlarged", async ({
  page,
  desk,
}) => {
  const { path, posts } = await desk.addPosts([
    {
      ...textPost("Covered"),
      sensitive: true,
      media: ["one", "two"].map(picture),
    },
  ]);
  await desk.open(page, `${path}&view=grid`);
  const tile = page.locator(`[data-post="${posts[0]?.id}"]`);
  const show = tile.getByRole("button", { name: "Covered – show" });
  const enlarge = tile.getByRole("button", { name: /^Enlarge picture/ });
  await expect(show).toHaveCount(2);
  await expect(enlarge).toHaveCount(0);
  await show.first().click();
  await expect(show).toHaveCount(0);
  await expect(enlarge).toHaveCount(1);
  await expect(tile.getByRole("checkbox")).not.toBeChecked();
});

test("E plays audio in the enlarged view, and offers the original of a video that does not play", async ({
  page,
  desk,
}) => {
  test.slow();
  const { path, posts } = await desk.addPosts([
    { ...textPost("Rain on a roof"), kind: "audio" },
    { ...textPost("A clip"), kind: "video" },
  ]);
  const enlarged = page.getByRole("dialog");
  await desk.open(page, path);
  await expectTopCard(page, posts[0]);
  await page.keyboard.press("e");
  await expect
    .poll(() => enlarged.locator("audio").evaluate((audio: HTMLAudioElement) => audio.duration))
    .toBeGreaterThan(0);
  await page.keyboard.press("Escape");
  await expect(enlarged).toHaveCount(0);
  await page.keyboard.press("a");
  await expectTopCard(page, posts[1]);
  await page.keyboard.press("e");
  await expect(enlarged.getByRole("link")).toHaveAttribute("href", /^https?:/);
});

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
  await page.getByRole("button", { name: "Recent decisions" }).hover();
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

test("the desk continues when the web process is killed, and no decision is lost or doubled", async ({
  page,
  desk,
}) => {
  const { path, posts } = await desk.addPosts(["One", "Two", "Three", "Four", "Five"].map(textPost));
  await desk.open(page, path);
  await expectTopCard(page, posts[0]);
  const [web = 0] = childrenOf(desk.app.pid, "sluice-web");
  expect(web).toBeGreaterThan(0);
  // Killed during a request, when only the server knows the result.
  let killed = false;
  let held = true;
  await page.route("**/review/decisions", (route) => {
    if (killed) return held ? route.abort("connectionrefused") : route.continue();
    killed = true;
    process.kill(web, "SIGKILL");
    return route.continue();
  });
  await page.keyboard.press("a");
  await expect.poll(() => killed).toBe(true);
  // A new process may start within a second, so requests are held until the desk shows unsent decisions.
  await expect.poll(async () => (await outboxState(page)).waiting).toBeGreaterThan(0);
  for (const key of ["r", "1", "z", "a"]) await page.keyboard.press(key);
  await expectTopCard(page, posts[3]);
  held = false;
  await expect.poll(() => childrenOf(desk.app.pid, "sluice-web")).not.toContain(web);
  await expect.poll(async () => (await outboxState(page)).status, { timeout: 25_000 }).toBe("saved");
  const logged = (await decisionLog(desk.call)).filter(({ post_id }) =>
    posts.some(({ id }) => id === post_id),
  );
  expect(logged.map(({ action }) => action)).toEqual(["approve", "reject", "reject", "unreview", "approve"]);
});

/** Kilobytes of 1000 bytes in Brotli, whatever compression a proxy or Next chooses; React and its router take 113. */
const MAX_SCRIPT = 186;

test("the first load of the desk stays within its script size", async ({ page, desk }) => {
  const { path } = await desk.addPosts([{ kind: "pictures" }, { kind: "picture" }, {}]);
  const sizes = new Map<string, Promise<number>>();
  page.on("response", (response) => {
    if (response.request().resourceType() !== "script") return;
    sizes.set(
      response.url(),
      response.body().then((script) => brotliCompressSync(script).length),
    );
  });
  await desk.open(page, path);
  await expect(topCard(page)).toBeVisible();
  await page.waitForLoadState("networkidle");
  const bytes = await Promise.all(sizes.values());
  const total = bytes.reduce((sum, size) => sum + size, 0) / 1000;
  test.info().annotations.push({ type: "script of /review", description: `${total.toFixed(1)} kB` });
  expect(bytes.length).toBeGreaterThan(3);
  expect(total).toBeLessThanOrEqual(MAX_SCRIPT);
});
