import type { Page } from "@playwright/test";
import { expect, toastMessage } from "#tests/setup/browser-test.ts";
import { listOf, test, textPost, type DeskInstallation } from "#tests/setup/desk.ts";
import { expectAccessible, tabTo } from "#tests/setup/page-checks.ts";

/* Grid and list with the keyboard alone. */

const focusedPost = (page: Page) =>
  page.evaluate(() => Number(document.activeElement?.getAttribute("data-stop") ?? 0));

/** Pressed again until the page listens. */
async function focusFirst(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      if ((await focusedPost(page)) === 0) await page.keyboard.press("j");
      return focusedPost(page);
    })
    .not.toBe(0);
}

async function pressEach(page: Page, keys: string): Promise<void> {
  for (const key of keys.split(" ")) await page.keyboard.press(key);
}

const many = (count: number) => Array.from({ length: count }, (_, n) => textPost(`Heron number ${n + 1}`));

/** A fetch takes 20 posts. */
async function addThirty(desk: DeskInstallation): Promise<{ path: string; streamId: number; ids: number[] }> {
  const { path, streamId } = await desk.addPosts(many(30));
  await desk.call("POST", `/streams/${streamId}/fetch`);
  const { json } = await desk.call<{ items: { id: number }[] }>(
    "GET",
    `/posts?stream_id=${streamId}&order=oldest&limit=100`,
  );
  expect(json.items).toHaveLength(30);
  return { path, streamId, ids: json.items.map(({ id }) => id) };
}

/** Presses of Tab and Enter from the top of the page to the first post. */
async function tabsToFirstPost(page: Page): Promise<number> {
  for (let tabs = 1; tabs <= 12; tabs++) {
    await page.keyboard.press("Tab");
    const name = await page.evaluate(() => document.activeElement?.textContent ?? "");
    if (/^Skip to (content|the posts)$/.test(name)) await page.keyboard.press("Enter");
    if ((await focusedPost(page)) !== 0) return tabs;
  }
  return Infinity;
}

test("the grid is reviewed without a pointer", async ({ page, desk }) => {
  const { path, posts } = await desk.addPosts(many(8));
  const id = (at: number) => posts[at]?.id ?? 0;
  const box = (at: number) => page.locator(`[data-stop="${id(at)}"]`).getByRole("checkbox");
  await desk.open(page, `${path}&view=grid`);
  await expect(page.locator("[data-stop]")).toHaveCount(8);
  expect(await tabsToFirstPost(page)).toBeLessThanOrEqual(6);
  expect(await focusedPost(page)).toBe(id(0));
  await expect(page.locator("[data-stop][tabindex='0']")).toHaveCount(1);

  await pressEach(page, "j j k");
  expect(await focusedPost(page)).toBe(id(1));
  await page.keyboard.press("ArrowDown");
  expect(await focusedPost(page)).toBe(id(6));
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  expect(await focusedPost(page)).toBe(id(1));
  await page.keyboard.press("ArrowLeft");
  expect(await focusedPost(page)).toBe(id(0));

  await pressEach(page, "x Shift+J Shift+J");
  for (const at of [0, 1, 2]) await expect(box(at)).toBeChecked();
  await page.keyboard.press("x");
  await expect(box(2)).not.toBeChecked();
  await page.keyboard.press("a");
  await expect(toastMessage(page, "2 posts approved")).toBeVisible();
  await expect(page.locator("[data-stop]")).toHaveCount(6);
  expect(await Promise.all([0, 1, 2].map((at) => desk.approvedOf(posts[at])))).toEqual([true, true, null]);
  await expect.poll(() => focusedPost(page)).toBe(id(2));

  await page.keyboard.press("Space");
  await expect(box(2)).toBeChecked();
  await page.keyboard.press("Space");
  await pressEach(page, "j r");
  await expect.poll(() => desk.approvedOf(posts[3])).toBe(false);
  await expect.poll(() => focusedPost(page)).toBe(id(4));

  await page.keyboard.press("1");
  await expect.poll(() => desk.approvedOf(posts[4])).toBe(false);
  expect(await desk.stored(posts[4])).toMatchObject({ reject_reason_label: "Spam or advertising" });
  await expect.poll(() => focusedPost(page)).toBe(id(5));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/posts/${id(5)}$`));
});

test("filters are set and removed by keyboard", { tag: "@slow" }, async ({ page, desk }) => {
  const { path } = await desk.addPosts([textPost("A heron"), textPost("A stork"), textPost("Another stork")]);
  await desk.open(page, listOf(path));
  const rows = page.locator("[data-stop]");
  await expect(rows).toHaveCount(3);
  const filters = page.getByRole("button", { name: /^Filters/ });
  await tabTo(page, filters);
  await page.keyboard.press("Enter");
  const sheet = page.getByRole("dialog", { name: "Filters" });
  await expect(sheet.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("stork");
  await tabTo(page, sheet.getByRole("combobox", { name: "Media" }));
  await page.keyboard.type("Without");
  // The focus stays in the sheet.
  await tabTo(page, sheet.getByRole("searchbox"));
  await tabTo(page, sheet.getByRole("button", { name: "Apply" }));
  await page.keyboard.press("Enter");
  await expect(sheet).toHaveCount(0);
  await expect(page).toHaveURL(/q=stork.*&has_media=false/);
  await expect(rows).toHaveCount(2);
  await expect(filters).toBeFocused();

  await tabTo(page, "Remove filter: Without media");
  await page.keyboard.press("Enter");
  await expect(page).not.toHaveURL(/has_media/);
  await expect(rows).toHaveCount(2);
});

test("pictures are never approved unseen from the list", { tag: "@slow" }, async ({ page, desk }) => {
  const { path, posts } = await desk.addPosts([
    { kind: "picture", ...textPost("Covered"), sensitive: true },
    { kind: "picture", ...textPost("Open") },
  ]);
  await desk.open(page, listOf(path));
  const row = (at: number) => page.locator(`[data-stop="${posts[at]?.id}"]`);
  await expect(row(1).locator("img")).toHaveCount(1);
  await expect(row(0).locator("img")).toHaveCount(0);
  await focusFirst(page);
  await page.keyboard.press("a");
  await expect(toastMessage(page, "Uncovered: look at it, then approve again")).toBeVisible();
  expect(await desk.approvedOf(posts[0])).toBeNull();
  await expect
    .poll(() =>
      row(0)
        .locator("img")
        .evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0),
    )
    .toBe(true);
  await page.keyboard.press("a");
  await expect.poll(() => desk.approvedOf(posts[0])).toBe(true);

  // The same while a picture has not loaded.
  await page.route("**/media/post/**", (route) => route.abort());
  await page.reload();
  await focusFirst(page);
  await page.keyboard.press("a");
  await expect(toastMessage(page, "See the pictures first")).toBeVisible();
  expect(await desk.approvedOf(posts[1])).toBeNull();
  await page.unroute("**/media/post/**");
  await page.reload();
  await expect
    .poll(() =>
      row(1)
        .locator("img")
        .evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0),
    )
    .toBe(true);
  await focusFirst(page);
  await page.keyboard.press("a");
  await expect.poll(() => desk.approvedOf(posts[1])).toBe(true);
});

test(
  "a batch decides on the selection, once, after a question, and one undo restores all",
  { tag: "@slow" },
  async ({ page, desk }) => {
    const { path, streamId, ids } = await addThirty(desk);
    const open = async () =>
      (await desk.call<{ total: number }>("GET", `/posts?stream_id=${streamId}&reviewed=false`)).json.total;
    await desk.open(page, `${path}&view=grid`);
    await expect(page.getByText("30 left")).toBeVisible();
    await expect(page.getByRole("button", { name: /^(Approve|Reject) \d/ })).toHaveCount(0);
    const sent: number[][] = [];
    page.on("request", (request) => {
      if (/\/review\/batch(\?as_of=.*)?$/.test(request.url()) && request.method() === "POST")
        sent.push((request.postDataJSON() as { post_ids: number[] }).post_ids);
    });
    await focusFirst(page);
    await pressEach(page, `x ${Array<string>(11).fill("Shift+J").join(" ")}`);
    const button = page.getByRole("button", { name: "Approve 12" });
    await button.focus();
    const spot = await button.boundingBox();
    await page.keyboard.press("Enter");
    const question = page.getByRole("alertdialog", { name: "Approve 12 posts?" });
    await expectAccessible(page, "the question before a batch");
    const confirm = question.getByRole("button", { name: "Approve 12" });
    await confirm.focus();
    await page.keyboard.press("Enter");
    await expect(page.locator("[data-stop]")).toHaveCount(18);
    // A second press, meant for the first posts.
    await page.mouse.click((spot?.x ?? 0) + 5, (spot?.y ?? 0) + 5);
    await page.getByRole("checkbox", { name: "Select the 18 shown" }).check();
    await page.keyboard.press("a");
    await page.waitForTimeout(200);
    expect([await open(), sent.map((batch) => batch.length)]).toEqual([18, [12]]);
    expect(sent[0]).toEqual(ids.slice(0, 12));

    const undo = page.getByRole("region", { name: /messages/i }).getByRole("button", { name: "Undo" });
    await page.route("**/undo", (route) => route.abort(), { times: 1 });
    await undo.click();
    await expect(toastMessage(page, "Undo failed")).toBeVisible();
    await undo.click();
    await expect(toastMessage(page, "12 posts restored")).toBeVisible();
    expect(await open()).toBe(30);
  },
);

test("a batch leaves unseen posts out and says so", { tag: "@slow" }, async ({ page, desk }) => {
  const covered = { kind: "picture", sensitive: true } as const;
  const { path, posts } = await desk.addPosts([
    { ...covered, ...textPost("Covered") },
    ...Array.from({ length: 11 }, (_, n) => textPost(`Text ${n}`)),
  ]);
  await desk.open(page, `${path}&view=grid`);
  await page.getByRole("checkbox", { name: "Select the 12 shown" }).check();
  await page.getByRole("button", { name: "Approve 12" }).click();
  const question = page.getByRole("alertdialog", { name: "Approve 11 posts?" });
  await expect(question).toContainText("1 post is left out");
  await question.getByRole("button", { name: "Approve 11" }).click();
  await expect(page.locator("[data-stop]")).toHaveCount(1);
  expect(await Promise.all(posts.map(desk.approvedOf))).toEqual([null, ...Array<boolean>(11).fill(true)]);
});
