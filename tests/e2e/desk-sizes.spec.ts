import { cardOnTop, dealtDeskTest, expectOnTop, text } from "#tests/setup/dealt-desk.ts";
import { expect } from "#tests/setup/journey.ts";

/*
 * The deck on screens of every size: what is decided with stays on the screen, whole.
 */

const test = dealtDeskTest();

test("enlarged to 200 % the card keeps room to be read, and every button is on the screen", async ({
  page,
  desk,
}) => {
  // What is left of 1280 × 800.
  await page.setViewportSize({ width: 640, height: 400 });
  const { path, posts } = await desk.deal([{ kind: "picture", ...text("A heron at the weir") }]);
  await desk.open(page, path);
  await expectOnTop(page, posts[0]);
  expect((await cardOnTop(page).boundingBox())?.height).toBeGreaterThan(150);
  for (const name of [/^Approve/, /^Reject/, "Undo", "Note", "Reason", "Skip"]) {
    const button = page.getByRole("group", { name: "Decide" }).getByRole("button", { name });
    await expect(button).toBeInViewport({ ratio: 1 });
  }
  await page.keyboard.press("PageDown");
  await expect.poll(() => cardOnTop(page).evaluate((card) => card.scrollTop)).toBeGreaterThan(50);
});

test("between a phone and a laptop no button of the desk is cut off, standing or lying down", async ({
  page,
  desk,
}) => {
  const { path, posts } = await desk.deal([text("A heron at the weir")]);
  await desk.open(page, path);
  await expectOnTop(page, posts[0]);
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
    const bar = page.getByRole("button", { name: /^(Filters|Keys|Desk settings|Last decisions)/ });
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
  test(`messages leave the deciding buttons free at ${width} pixels`, async ({ page, desk }) => {
    await page.setViewportSize({ width, height });
    const { path, posts } = await desk.deal([text("A heron at the weir"), text("Another one")]);
    await desk.open(page, path);
    await expectOnTop(page, posts[0]);
    await page.keyboard.press("t");
    const undo = page.getByRole("region", { name: /Messages/ }).getByRole("button", { name: "Undo" });
    await expect(undo).toBeVisible();
    const top = async () => (await page.getByRole("group", { name: "Decide" }).boundingBox())?.y ?? 0;
    const bottom = async () => {
      const box = await page.locator("[data-sonner-toast]").first().boundingBox();
      return (box?.y ?? Infinity) + (box?.height ?? 0);
    };
    // It slides to its place.
    await expect.poll(async () => (await top()) - (await bottom())).toBeGreaterThanOrEqual(0);
    await undo.click();
    await expect(page.getByText(/is no longer trusted$/)).toBeVisible();
  });
}
