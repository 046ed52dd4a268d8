import type { Locator } from "@playwright/test";
import type { SimMedia } from "#tests/simulated-server/server.ts";
import { topCard, deskTest as test, expectTopCard, textPost, listOf } from "#tests/setup/desk.ts";
import { expect } from "#tests/setup/browser-test.ts";
import { query } from "#tests/setup/database.ts";

/* Reviewers see whole pictures, and warnings first. */

const pictures = (sizes: readonly (readonly [number, number])[]): SimMedia[] =>
  sizes.map(([width, height], at) => ({
    id: `picture-${at}`,
    type: "image",
    picture: { seed: `${width}/${at}`, theme: "garden", width, height, format: "jpeg", quality: 80 },
    alt: at === 1 ? null : "A heron at the weir",
  }));

const isWhole = (picture: Locator) =>
  picture.evaluate((image) => {
    const frame = image.closest("figure > div")?.getBoundingClientRect();
    const { width, height } = image.getBoundingClientRect();
    return (
      getComputedStyle(image).objectFit === "contain" &&
      frame !== undefined &&
      width <= frame.width + 1 &&
      height <= frame.height + 1
    );
  });

test("a tile shows its post's pictures uncropped and the number of further ones", async ({ page, desk }) => {
  const many = [[1600, 900], [900, 1600], [2400, 600], [1000, 1000], [1200, 800], [800, 600]] as const; // prettier-ignore
  const { path, posts } = await desk.addPosts([
    { ...textPost("A panorama"), media: pictures([[2400, 500]]) },
    { ...textPost("Two"), media: pictures(many.slice(0, 2)) },
    { ...textPost("Four"), media: pictures(many.slice(0, 4)) },
    { ...textPost("Six"), media: pictures(many) },
  ]);
  await desk.open(page, `${path}&view=grid`);
  const tile = (at: number) => page.locator(`[data-post="${posts[at]?.id}"]`);
  for (const [at, drawn] of [1, 2, 4, 4].entries()) {
    const images = tile(at).locator('img[src^="/media/post/"]');
    await expect(images).toHaveCount(drawn);
    for (const image of await images.all()) expect(await isWhole(image), `tile ${at}`).toBe(true);
  }
  await expect(tile(2).getByText(/^\+/)).toHaveCount(0);
  await expect(tile(3).getByText("+2", { exact: true })).toBeVisible();
  await expect(tile(3).getByText("6 attachments")).toBeVisible();

  const enlarge = tile(3).getByRole("button", { name: /^Enlarge picture/ });
  await enlarge.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Attachment 1 of 6" })).toBeVisible();
  await page.keyboard.press("ArrowLeft");
  for (let at = 2; at <= 6; at++) {
    await page.keyboard.press("ArrowRight");
    await expect(page.getByRole("dialog", { name: `Attachment ${at} of 6` })).toBeVisible();
  }
  await page.keyboard.press("Escape");
  await expect(enlarge).toBeFocused();
  await expect(tile(3).getByRole("checkbox")).not.toBeChecked();
});

test("in the grid one click reveals all covered pictures of a post, and only then they can be enlarged", async ({
  page,
  desk,
}) => {
  const { path, posts } = await desk.addPosts([
    {
      ...textPost("Covered"),
      sensitive: true,
      media: pictures([
        [1600, 900],
        [900, 1600],
      ]),
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

test("a list shows check results that need attention, and states where they differ", async ({
  page,
  desk,
}) => {
  const { path, posts, streamId } = await desk.addPosts([textPost("Fine"), textPost("Not fine")]);
  await query(desk.databaseUrl, "UPDATE post SET ai_would_reject = false, ai_score = 0 WHERE id = $1", [
    posts[0]?.id,
  ]);
  await query(desk.databaseUrl, "UPDATE post SET ai_would_reject = true, ai_score = 0.9 WHERE id = $1", [
    posts[1]?.id,
  ]);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await desk.open(page, listOf(path));
    const rows = page.getByRole("grid", { name: "Posts" }).locator("tbody").getByRole("row");
    await expect(rows).toHaveCount(2);
    await expect(rows.nth(1)).toContainText("Checks would reject");
    await expect(rows.nth(0)).not.toContainText("Checks");
    await expect(rows.getByText("Unreviewed")).toHaveCount(0);
    await page.goto(`${desk.app.url}/posts?stream_id=${streamId}`);
    await expect(rows.getByText("Unreviewed").filter({ visible: true })).toHaveCount(2);
  }
});

test("on a phone warnings about a post stand above its pictures", async ({ page, desk }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { path, posts } = await desk.addPosts([
    { kind: "picture", ...textPost("Against") },
    { kind: "picture", ...textPost("Fine") },
  ]);
  await query(
    desk.databaseUrl,
    `UPDATE post SET consent = '{"indexable": false, "refusal_tags": ["nobot"]}', ai_would_reject = true, ai_score = 0.9
      WHERE id = $1`,
    [posts[0]?.id],
  );
  await query(
    desk.databaseUrl,
    `UPDATE post SET consent = '{"discoverable": false, "indexable": false}', ai_would_reject = false, ai_score = 0 WHERE id = $1`,
    [posts[1]?.id],
  );
  await desk.open(page, path);
  await expectTopCard(page, posts[0]);
  const against = topCard(page).locator("[data-stands-out]");
  const picture = topCard(page).locator("[data-medium]").first();
  for (const words of ["Checks would reject", "Refuses: #nobot"]) {
    await expect(against.getByText(words)).toBeInViewport({ ratio: 1 });
  }
  const end = await against.boundingBox().then((box) => (box?.y ?? Infinity) + (box?.height ?? 0));
  expect(end).toBeLessThan((await picture.boundingBox())?.y ?? 0);
  await page.keyboard.press("s");
  await expectTopCard(page, posts[1]);
  await expect(against).toHaveCount(0);
  await page.keyboard.press("z");
  await expectTopCard(page, posts[0]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(against).toBeHidden();
});

test("in forced colours the decision buttons keep a border and the current view a mark", async ({
  page,
  desk,
}) => {
  const { path, posts } = await desk.addPosts([textPost("A heron at the weir")]);
  await page.emulateMedia({ forcedColors: "active" });
  await desk.open(page, path);
  await expectTopCard(page, posts[0]);
  for (const name of [/^Approve/, /^Reject/]) {
    const button = page.getByRole("group", { name: "Decide" }).getByRole("button", { name });
    const { border, ground } = await button.evaluate((box) => {
      const { borderTopWidth, borderTopColor, backgroundColor } = getComputedStyle(box);
      return { border: [borderTopWidth, borderTopColor], ground: backgroundColor };
    });
    expect(border[0]).toBe("1px");
    expect(border[1]).not.toBe(ground);
    expect(border[1]).not.toBe("rgba(0, 0, 0, 0)");
  }
  const view = page.getByRole("navigation", { name: "View" }).getByRole("link", { name: "Deck" });
  await expect(view).toHaveCSS("outline-style", "solid");
});

test("invalid filters in the address are explained with their labels and can be cleared", async ({
  page,
  desk,
}) => {
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
    await expect(alert).toContainText("Stream: “abc” is not a valid choice");
    await expect(alert).toContainText("Reviewed until: “2026-02-30” is not a date");
    await expect(alert).not.toContainText(/stream_id|happened|Validation/);
    // The same URL would be refused again.
    await expect(page.getByRole("button", { name: "Try again" })).toHaveCount(0);
    await alert.getByRole("button", { name: "Clear filters" }).click();
    await expect(alert).toHaveCount(0);
    await expect(shown).toBeVisible();
  }
  expect(posts).toHaveLength(1);
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
