import { topCard, deskTest, expectTopCard, textPost } from "#tests/setup/desk.ts";
import { expect } from "#tests/setup/browser-test.ts";

/* The decision buttons stay visible on all screen sizes. */

const test = deskTest();

test("at 200 % zoom the card stays readable and every button is on the screen", async ({ page, desk }) => {
  // 1280 × 800 at 200 % zoom.
  await page.setViewportSize({ width: 640, height: 400 });
  const { path, posts } = await desk.addPosts([{ kind: "picture", ...textPost("A heron at the weir") }]);
  await desk.open(page, path);
  await expectTopCard(page, posts[0]);
  expect((await topCard(page).boundingBox())?.height).toBeGreaterThan(150);
  for (const name of [/^Approve/, /^Reject/, "Undo", "Note", "Reason", "Skip"]) {
    const button = page.getByRole("group", { name: "Decide" }).getByRole("button", { name });
    await expect(button).toBeInViewport({ ratio: 1 });
  }
  await page.keyboard.press("PageDown");
  await expect.poll(() => topCard(page).evaluate((card) => card.scrollTop)).toBeGreaterThan(50);
});

test("on a phone with 200 % text every button is whole and nothing overlaps", async ({ page, desk }) => {
  // 390 × 844 at 200 % zoom, and the smallest phones.
  const { path, posts } = await desk.addPosts([{ kind: "picture", ...textPost("A heron at the weir") }]);
  for (const [width, height] of [
    [195, 422],
    [320, 568],
  ] as const) {
    await page.setViewportSize({ width, height });
    await desk.open(page, path);
    await expectTopCard(page, posts[0]);
    const places: { name: string; left: number; right: number; top: number; bottom: number }[] = [];
    for (const name of [/^Approve/, /^Reject/, "Undo", "Note", "Reason", "Skip"]) {
      const button = page.getByRole("group", { name: "Decide" }).getByRole("button", { name });
      await expect(button, `${name} at ${width}`).toBeInViewport({ ratio: 1 });
      const box = await button.evaluate((box) => {
        const words = [...box.childNodes]
          .map((each) => {
            if (each instanceof Element) return each.getBoundingClientRect();
            const range = document.createRange();
            range.selectNode(each);
            return range.getBoundingClientRect();
          })
          .filter((each) => each.width > 1);
        const { left, right, top, bottom } = box.getBoundingClientRect();
        const fits = words.every((each) => each.left >= left - 0.5 && each.right <= right + 0.5);
        return { left, right, top, bottom, fits };
      });
      expect(box.fits, `${name} at ${width}`).toBe(true);
      for (const other of places) {
        const apart =
          box.left >= other.right - 0.5 ||
          box.right <= other.left + 0.5 ||
          box.top >= other.bottom - 0.5 ||
          box.bottom <= other.top + 0.5;
        expect(apart, `${name} and ${other.name} at ${width}`).toBe(true);
      }
      places.push({ name: String(name), ...box });
    }
    // On wider content, fixed elements would leave the screen.
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await expect(page.getByRole("button", { name: "Recent decisions" })).toBeVisible();
    await page.getByRole("button", { name: "Recent decisions" }).click();
    await expect(page.getByRole("dialog", { name: "Recent decisions" })).toBeVisible();
    await page.keyboard.press("Escape");
  }
});

test("no button is cut off at sizes between phone and laptop, in portrait or landscape", async ({
  page,
  desk,
}) => {
  const { path, posts } = await desk.addPosts([textPost("A heron at the weir")]);
  await desk.open(page, path);
  await expectTopCard(page, posts[0]);
  for (const [width, height] of [
    [720, 900],
    [768, 1024],
    [900, 460],
    [1023, 800],
    [1024, 700],
    [1215, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    const decide = page.getByRole("group", { name: "Decide" }).getByRole("button");
    const bar = page.getByRole("button", { name: /^(Filters|Keys|Desk settings|Recent decisions)/ });
    for (const button of [...(await decide.all()), ...(await bar.all())]) {
      const name = `${(await button.textContent()) ?? ""} at ${width} × ${height}`;
      if (!(await button.isVisible())) continue;
      await expect(button, name).toBeInViewport({ ratio: 1 });
      const fits = await button.evaluate((box) => {
        const inner = box.getBoundingClientRect();
        return [...box.children].every((each) => {
          const { left, right, width: own } = each.getBoundingClientRect();
          return own <= 1 || (left >= inner.left && right <= inner.right);
        });
      });
      expect(fits, name).toBe(true);
      const { scrollWidth, clientWidth } = await button.evaluate((box) => ({
        scrollWidth: box.scrollWidth,
        clientWidth: box.clientWidth,
      }));
      expect(scrollWidth, name).toBeLessThanOrEqual(clientWidth);
    }
  }
});

for (const [width, height] of [
  [1280, 800],
  [900, 800],
  [390, 844],
] as const) {
  test(`messages cover neither buttons nor recent decisions at ${width} pixels`, async ({ page, desk }) => {
    await page.setViewportSize({ width, height });
    const { path, posts } = await desk.addPosts([textPost("A heron at the weir"), textPost("Another one")]);
    await desk.open(page, path);
    await expectTopCard(page, posts[0]);
    await page.keyboard.press("b");
    await page.getByRole("dialog").getByRole("button", { name: "Block", exact: true }).click();
    const message = page.getByRole("region", { name: "Messages of the desk" }).filter({ visible: true });
    await expect(message.getByText(/ is blocked/)).toBeVisible();
    const places = page
      .locator('[role=group][aria-label="Decide"], section[aria-label="Recent decisions"] ol')
      .filter({ visible: true });
    const covered = async () => {
      const box = await message.boundingBox();
      const others = await Promise.all((await places.all()).map((place) => place.boundingBox()));
      return others.filter(
        (other) =>
          !box ||
          !other ||
          (box.x < other.x + other.width &&
            other.x < box.x + box.width &&
            box.y < other.y + other.height &&
            other.y < box.y + box.height),
      );
    };
    await expect.poll(covered).toEqual([]);
    await expect(page.locator("[data-sonner-toast]")).toHaveCount(0);
  });
}
