import type { Page } from "@playwright/test";
import {
  topCard,
  expectTopCard,
  deskTest as test,
  type DeskInstallation,
  textPost,
  type StoredPost,
  listOf,
} from "#tests/setup/desk.ts";
import { expect, toastMessage } from "#tests/setup/browser-test.ts";

/* Failures known from other review tools. */

const countEvents = async (desk: DeskInstallation, post: StoredPost | undefined, wanted: string) => {
  const { json } = await desk.call<{ history: { action: string }[] }>("GET", `/posts/${post?.id}`);
  return json.history.filter(({ action }) => action === wanted).length;
};
const approvals = (desk: DeskInstallation, post: StoredPost | undefined) =>
  countEvents(desk, post, "approve");
const top = (page: Page) => topCard(page).getAttribute("data-card");

test("a shortcut works once per press after visits to other pages; off the desk none works", async ({
  page,
  desk,
}) => {
  const { path, posts } = await desk.addPosts(["One", "Two", "Three", "Four"].map(textPost));
  await desk.open(page, path);
  await expectTopCard(page, posts[0]);
  await page.evaluate(() => (document.documentElement.dataset.same = "document"));
  const places = page.getByRole("navigation");
  for (const visit of [1, 2]) {
    await places.getByRole("link", { name: "Queue" }).click();
    await expect(page).toHaveURL(/\/queue$/);
    await expect(page.getByRole("heading", { level: 1, name: "Queue" })).toBeVisible();
    for (const key of ["a", "r", "1"]) await page.keyboard.press(key);
    await page.goBack();
    await expectTopCard(page, posts[visit - 1]);
    await page.keyboard.press("a");
    await expectTopCard(page, posts[visit]);
    await expect.poll(() => approvals(desk, posts[visit - 1])).toBe(1);
  }
  await places.getByRole("link", { name: "Queue" }).click();
  await places.getByRole("link", { name: "Review" }).click();
  await expect(page).toHaveURL(/\/review$/);
  await expect(topCard(page)).toBeVisible();
  const first = await top(page);
  const firstApprovals = () => approvals(desk, { ...posts[0], id: Number(first) } as StoredPost);
  // May be a post of an earlier test that was approved and undone.
  const approvedBefore = await firstApprovals();
  await page.keyboard.press("a");
  await expect.poll(() => top(page)).not.toBe(first);
  await expect.poll(firstApprovals).toBe(approvedBefore + 1);
  await places.getByRole("link", { name: "Queue" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Queue" })).toBeVisible();
  const taken = () =>
    Promise.all(
      [...posts, { ...posts[0], id: Number(first) } as StoredPost].map((post) =>
        countEvents(desk, post, "unreview"),
      ),
    );
  const before = await taken();
  for (const key of ["a", "r", "1", "z"]) await page.keyboard.press(key);
  await page.waitForTimeout(500);
  expect(await taken()).toEqual(before);
  // A page load would make the test pass in any case.
  expect(await page.evaluate(() => document.documentElement.dataset.same)).toBe("document");
  expect(await approvals(desk, posts[0])).toBe(1);
});

test("decided posts leave deck, grid and list", async ({ page, desk }) => {
  const { path, posts } = await desk.addPosts(["One", "Two", "Three", "Four"].map(textPost));
  await desk.open(page, path);
  await expectTopCard(page, posts[0]);
  await page.keyboard.press("a");
  await expect(page.locator(`[data-card="${posts[0]?.id}"]`)).toHaveCount(0);
  // A new page comes from the server, which may not have the decision yet.
  await expect.poll(() => approvals(desk, posts[0])).toBe(1);

  await desk.open(page, `${path}&view=grid`);
  const tiles = page.getByRole("list", { name: "Posts" }).getByRole("listitem");
  await expect(tiles).toHaveCount(3);
  await tiles.filter({ hasText: "Two" }).getByRole("checkbox").check();
  await page.getByRole("button", { name: "Approve 1" }).click();
  await expect(tiles).toHaveCount(2);
  await expect(tiles.filter({ hasText: "Two" })).toHaveCount(0);

  await desk.open(page, listOf(path));
  const row = page.getByRole("row").filter({ hasText: "Three" });
  await row.getByRole("button", { name: /^Reject/ }).click();
  await expect(row).toHaveCount(0);
  await expect(page.getByRole("row").filter({ hasText: "Four" })).toHaveCount(1);
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
    .getByRole("region", { name: /Messages/ })
    .getByRole("button", { name: "Undo" })
    .click();
  await expect(tiles).toHaveCount(3);
  expectFilters();

  await page.getByRole("link", { name: "Deck" }).click();
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
  await page.getByRole("link", { name: "Grid" }).click();
  await expect(herons).toHaveCount(2);
  expectFilters();
  await herons.filter({ hasText: "Heron two" }).getByRole("link").first().click();
  await expect(page).toHaveURL(/\/posts\/\d+/);
  await page.goBack();
  await expect(herons).toHaveCount(2);
  expectFilters();
});

test("oldest first holds whatever the order of arrival", async ({ page, desk }) => {
  const hour = 3_600_000;
  const at = (hours: number) => ({ created_at: new Date(Date.now() - hours * hour) });
  // Added newest first, so that neither id nor arrival gives the right order.
  const { path } = await desk.addPosts([
    { ...textPost("Of this hour"), ...at(1) },
    { ...textPost("Of yesterday"), ...at(15) },
    { ...textPost("Of the morning"), ...at(6) },
  ]);
  const shown = async (address: string, selector: string) => {
    await desk.open(page, address);
    await expect(page.locator(selector)).toHaveCount(3);
    return (await page.locator(selector).allTextContents()).map((words) =>
      /Of [a-z ]+/.exec(words)?.[0].trim(),
    );
  };
  const oldest = ["Of yesterday", "Of the morning", "Of this hour"];
  const tile = "main ul[aria-label=Posts] > li";
  expect(await shown(`${path}&view=grid`, tile)).toEqual(oldest);
  expect(await shown(listOf(path), "main tbody tr")).toEqual(oldest);
  expect(await shown(`${path}&view=grid&order=newest`, tile)).toEqual(oldest.toReversed());
  await desk.open(page, path);
  for (const words of oldest) {
    await expect(topCard(page)).toContainText(words);
    await page.keyboard.press("a");
  }
  await expect(page.getByText("No more posts match the filters")).toBeVisible();
});

test("an invalid date in the address is reported or ignored, and no page is blank", async ({
  page,
  desk,
}) => {
  const { path, posts } = await desk.addPosts([textPost("Still here")]);
  const garbage = "from=garbage&to=2026-13-50&since=garbage&until=2026-13-45T99:00";
  for (const query of [garbage, "since=%00&until="]) {
    for (const address of [
      `${path}&${query}`,
      `${path}&view=grid&${query}`,
      `${listOf(path)}&${query}`,
      `/posts?${query}`,
      `/statistics?${query}`,
      `/settings/audit?${query}`,
      `/queue?${query}`,
      `/?${query}`,
    ]) {
      await desk.open(page, address);
      await expect(page.getByRole("heading", { level: 1 }).first(), address).toBeAttached();
      await expect(page.getByRole("navigation").first(), address).toBeVisible();
      await expect(page.getByText("This page failed to load"), address).toHaveCount(0);
      await expect(page.locator(".animate-skeleton, [aria-busy=true]"), address).toHaveCount(0);
      const words = await page.getByRole("main").innerText();
      expect(words, address).not.toMatch(/Invalid Date|NaN|undefined/);
    }
  }
  await desk.open(page, `${path}&since=garbage`);
  await expect(page.getByText("Posted from: “garbage” is not a date")).toBeVisible();
  await page.getByRole("button", { name: /^Remove filter: Posted from/ }).click();
  await expectTopCard(page, posts[0]);
});

test("a post with a bad date neither stops its stream nor blanks a page", async ({ page, desk }) => {
  const bad = [
    "not a date",
    "",
    null,
    "99999-01-01T00:00:00Z",
    "0000-00-00",
    "2026-02-30T25:61:00Z",
    1e18,
    "-1",
  ];
  const { path, posts } = await desk.addPosts([
    textPost("Before"),
    ...bad.map((created_at) => ({ ...textPost("Of no time"), raw: { created_at } })),
    { ...textPost("Edited at no time"), raw: { edited_at: "whenever" } },
    textPost("After"),
  ]);
  expect(posts.length).toBeGreaterThanOrEqual(3);
  for (const address of [listOf(path), `${path}&view=grid`, path, "/statistics", "/"]) {
    await desk.open(page, address);
    await expect(page.getByRole("heading", { level: 1 }).first(), address).toBeAttached();
    await expect(page.getByText("This page failed to load"), address).toHaveCount(0);
    await expect(page.locator(".animate-skeleton, [aria-busy=true]"), address).toHaveCount(0);
    expect(await page.getByRole("main").innerText(), address).not.toMatch(/Invalid Date|NaN/);
  }
  for (const { id } of posts) {
    await desk.open(page, `/posts/${id}`);
    await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
    expect(await page.getByRole("main").innerText()).not.toMatch(/Invalid Date|NaN/);
  }
});

test("a post edited after approval returns to the desk with its difference and is not handed out", async ({
  page,
  desk,
}) => {
  const { path, posts, sources, streamId } = await desk.addPosts([
    textPost("Cats are fine"),
    textPost("Other"),
  ]);
  await desk.open(page, path);
  await expectTopCard(page, posts[0]);
  await page.keyboard.press("a");
  await expect.poll(async () => (await desk.stored(posts[0])).approved).toBe(true);
  desk.remote.control.editPost(sources[0]?.id ?? "", ["Cats are for sale"]);
  await desk.call("POST", `/streams/${streamId}/fetch`);
  await expect.poll(async () => (await desk.stored(posts[0])).approved).toBeNull();
  const { json: pending } = await desk.call<{ items: { id: number }[] }>(
    "GET",
    "/posts?queue_status=pending&limit=1000",
  );
  expect(pending.items.map(({ id }) => id)).not.toContain(posts[0]?.id);
  await page.reload();
  const edited = page.locator(`[data-card="${posts[0]?.id}"]`);
  if ((await top(page)) !== String(posts[0]?.id)) await page.keyboard.press("s");
  await expectTopCard(page, posts[0]);
  await expect(edited.locator("del").filter({ hasText: "fine" })).toBeVisible();
  await expect(edited.locator("ins").filter({ hasText: "sale" })).toBeVisible();
});

test("a list that cannot be loaded offers no decisions on the posts it showed before", async ({
  page,
  desk,
}) => {
  const { path, posts } = await desk.addPosts([textPost("One"), textPost("Two")]);
  await desk.open(page, `${path}&view=grid`);
  await expect(page.getByRole("button", { name: "Approve the 2 shown" })).toBeVisible();
  await page.route("**/api/v1/posts?*", (route) =>
    route.fulfill({ status: 500, contentType: "application/json", body: '{"detail":"Out of order"}' }),
  );
  await page.getByRole("searchbox").fill("heron");
  await page.keyboard.press("Enter");
  await expect(page.getByText("The posts could not be loaded")).toBeVisible();
  await expect(page.getByRole("button", { name: /^(Approve|Reject) the/ })).toHaveCount(0);
  await page.unroute("**/api/v1/posts?*");
  await page.route("**/api/v1/posts?*", (route) => route.abort());
  await page.getByRole("searchbox").fill("");
  await page.getByRole("searchbox").fill("gulls");
  await page.keyboard.press("Enter");
  await expect(page.getByText("The posts shown are from before")).toBeVisible();
  expect(await Promise.all(posts.map(desk.approvedOf))).toEqual([null, null]);
});
