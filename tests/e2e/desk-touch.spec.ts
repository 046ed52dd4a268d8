import type { CDPSession, Page } from "@playwright/test";
import { topCard, expectTopCard, announcement, test, textPost } from "#tests/setup/desk.ts";
import { expect } from "#tests/setup/browser-test.ts";
import { expectAccessible, expectNoHorizontalScroll } from "#tests/setup/page-checks.ts";

/* The deck by touch on a screen of 390 pixels. */

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

async function touchCard(page: Page, part = topCard(page)) {
  const box = await part.boundingBox();
  if (!box) throw new Error("There is no card.");
  const session: CDPSession = await page.context().newCDPSession(page);
  let [x, y] = [box.x + box.width / 2, box.y + Math.min(60, box.height / 2)];
  const send = (type: "touchStart" | "touchMove" | "touchEnd") =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints: type === "touchEnd" ? [] : [{ x, y }] });
  await send("touchStart");
  return {
    by: async (dx: number, dy = 0) => {
      for (let step = 0; step < 10; step++) {
        x += dx / 10;
        y += dy / 10;
        await send("touchMove");
      }
    },
    lift: () => send("touchEnd"),
  };
}

test("a swipe decides beyond a visible threshold only", async ({ page, desk }) => {
  const { path, posts } = await desk.addPosts(["One", "Two", "Three"].map(textPost));
  await desk.open(page, path);
  await expectTopCard(page, posts[0]);
  const sign = (word: string) => topCard(page).locator("div[aria-hidden]").filter({ hasText: word }).first();
  const colour = (word: string) =>
    sign(word).evaluate((element) => getComputedStyle(element).backgroundColor);

  const first = await touchCard(page);
  await first.by(60);
  await expect(sign("Approve")).toBeVisible();
  const before = await colour("Approve");
  await first.by(120);
  await expect.poll(() => colour("Approve")).not.toBe(before);
  await first.by(-120);
  await expect.poll(() => colour("Approve")).toBe(before);
  await first.lift();
  await expect(sign("Approve")).toHaveCount(0);
  await expectTopCard(page, posts[0]);
  await expect(topCard(page)).toHaveCSS("transform", "none");

  const right = await touchCard(page);
  await right.by(180);
  await right.lift();
  await expectTopCard(page, posts[1]);
  await expect(announcement(page)).toHaveText(/^Approved\. Next/);

  const left = await touchCard(page);
  await left.by(-60);
  await expect(sign("Reject")).toBeVisible();
  await left.by(-120);
  await left.lift();
  await expectTopCard(page, posts[2]);
  await expect(announcement(page)).toHaveText(/^Rejected\. Next/);
  await expect.poll(() => Promise.all(posts.map(desk.approvedOf))).toEqual([true, false, null]);
});

test(
  "in the lightbox a swipe changes a fitted picture and scrolls an enlarged one",
  { tag: "@slow" },
  async ({ page, desk }) => {
    const { path, posts, sources } = await desk.addPosts([{ kind: "pictures" }, textPost("Next")]);
    const count = sources[0]?.media.length ?? 0;
    await desk.open(page, path);
    await expectTopCard(page, posts[0]);
    await topCard(page)
      .getByRole("button", { name: /^Enlarge/ })
      .first()
      .tap();
    const lightbox = page.getByRole("dialog");
    const isAt = (index: number) => expect(lightbox).toHaveAccessibleName(`Attachment ${index} of ${count}`);
    await isAt(1);
    const session = await page.context().newCDPSession(page);
    const swipe = async (from: number, to: number) => {
      const send = (type: "touchStart" | "touchMove" | "touchEnd", ...at: number[]) =>
        session.send("Input.dispatchTouchEvent", { type, touchPoints: at.map((x) => ({ x, y: 560 })) });
      await send("touchStart", from);
      for (let step = 1; step <= 8; step++) await send("touchMove", from + (to - from) * (step / 8));
      await send("touchEnd");
    };
    await swipe(270, 120);
    await isAt(2);
    await swipe(120, 270);
    await isAt(1);
    await lightbox.getByRole("button", { name: "Zoom in" }).tap();
    const scrolled = () => lightbox.locator("img").evaluate((image) => image.parentElement?.scrollLeft ?? 0);
    const before = await scrolled();
    expect(before).toBeGreaterThan(0);
    await swipe(270, 120);
    await expect.poll(scrolled).toBeGreaterThan(before);
    await isAt(1);
    await lightbox.getByRole("button", { name: "Fit to window" }).tap();
    await swipe(270, 120);
    await isAt(2);
    expect(await desk.approvedOf(posts[0])).toBeNull();
  },
);

test("scrolling and a slider decide nothing", { tag: "@slow" }, async ({ page, desk }) => {
  const { path, posts } = await desk.addPosts([
    { kind: "audio", paragraphs: Array.from({ length: 20 }, (_, n) => `Line ${n}`) },
    textPost("Next"),
  ]);
  await desk.open(page, path);
  await expectTopCard(page, posts[0]);
  const finger = await touchCard(page);
  await finger.by(0, -80);
  await finger.by(200, -40);
  await finger.lift();
  const player = topCard(page).locator("audio");
  await player.scrollIntoViewIfNeeded();
  const slider = await touchCard(page, player);
  await slider.by(180);
  await slider.lift();
  await expect(announcement(page)).toHaveText(/^Next: /);
  await expectTopCard(page, posts[0]);
  expect(await desk.approvedOf(posts[0])).toBeNull();
});

test(
  "a reason is chosen and undone by touch, and its sheet passes axe",
  { tag: "@slow" },
  async ({ page, desk }) => {
    const { path, posts } = await desk.addPosts([{ kind: "pictures", sensitive: true }, textPost("Two")]);
    await desk.open(page, path);
    await expectTopCard(page, posts[0]);
    await expectNoHorizontalScroll(page, path);
    await topCard(page).getByRole("button", { name: "Covered – show" }).first().tap();
    await expect(topCard(page).locator("[data-medium] img").first()).toHaveCSS("filter", "none");
    await page.getByRole("button", { name: "Reason", exact: true }).tap();
    const sheet = page.getByRole("dialog");
    await expectAccessible(page, "the sheet of reasons");
    await sheet.getByRole("button", { name: "Off topic" }).tap();
    await expect(sheet).toHaveCount(0);
    await expectTopCard(page, posts[1]);
    await page.getByRole("button", { name: "Undo", exact: true }).tap();
    await expectTopCard(page, posts[0]);
    await expect.poll(() => desk.approvedOf(posts[0])).toBeNull();
  },
);
