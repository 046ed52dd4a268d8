import type { Page } from "@playwright/test";
import { deskTest, textPost } from "#tests/setup/desk.ts";
import { expect } from "#tests/setup/browser-test.ts";

/*
 * A post's own page in the hand: what decides stays at the thumb, over the navigation, and covers nothing for good.
 */

const test = deskTest();

const decisions = (page: Page) => page.getByRole("group", { name: "Decide" });

/** Upper and lower edge on the screen, in whole pixels. */
async function edges(page: Page) {
  const box = async (locator: ReturnType<Page["locator"]>) => {
    const found = await locator.boundingBox();
    if (!found) throw new Error("It is not drawn.");
    return { top: Math.round(found.y), bottom: Math.round(found.y + found.height) };
  };
  return {
    bar: await box(decisions(page)),
    navigation: await box(page.getByRole("navigation", { name: "Main" })),
    last: await box(page.locator("main section").last()),
  };
}

for (const inset of [0, 34]) {
  test(`the decisions stand over the navigation all the way down, ${inset} pixels from the edge`, async ({
    page,
    desk,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setSafeAreaInsetsOverride", { insets: { bottom: inset } });
    const { posts } = await desk.addPosts([{ ...textPost("A heron at the weir"), kind: "pictures" }]);
    await desk.open(page, `/posts/${posts[0]?.id}`);
    const buttons = decisions(page).getByRole("button");
    await expect(buttons).toHaveText(["Reject", "Approve"]);
    for (const button of await buttons.all()) {
      await expect(button).toBeInViewport({ ratio: 1 });
      expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    }
    // Nowhere else: the head has what is done more rarely.
    await expect(page.getByRole("button", { name: "Approve", exact: true })).toHaveCount(1);
    const above = await edges(page);
    expect(above.navigation.bottom - above.navigation.top).toBeGreaterThanOrEqual(56 + inset);
    expect(above.bar.bottom).toBe(above.navigation.top);

    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(200);
    const end = await edges(page);
    expect(end.bar.bottom).toBe(end.navigation.top);
    expect(end.last.bottom).toBeLessThanOrEqual(end.bar.top);

    // What gets the focus on the way is not behind it.
    await page.evaluate(() => window.scrollTo(0, 0));
    const link = page.locator("main section").last().getByRole("link").last();
    await link.focus();
    const { bar } = await edges(page);
    const at = await link.boundingBox();
    expect((at?.y ?? 0) + (at?.height ?? 0)).toBeLessThanOrEqual(bar.top);
  });
}

test("a decision at the thumb is told above it, and what can be done then takes its place", async ({
  page,
  desk,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { posts } = await desk.addPosts([textPost("A heron at the weir")]);
  await desk.open(page, `/posts/${posts[0]?.id}`);
  await decisions(page).getByRole("button", { name: "Approve" }).click();
  await expect.poll(() => desk.approvedOf(posts[0])).toBe(true);
  await expect(decisions(page).getByRole("button")).toHaveText(["Reject", "Back to unreviewed"]);
  const message = page.locator("[data-sonner-toast]").first();
  await expect(message).toBeVisible();
  await expect
    .poll(async () => {
      const told = await message.boundingBox();
      return told === null ? null : Math.round(told.y + told.height) <= (await edges(page)).bar.top;
    })
    .toBe(true);
  await decisions(page).getByRole("button", { name: "Reject" }).click();
  await expect.poll(() => desk.approvedOf(posts[0])).toBe(false);
  await expect(decisions(page).getByRole("button")).toHaveText(["Back to unreviewed", "Approve"]);

  // On a desk they stay in the head.
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(decisions(page)).toBeHidden();
  const approve = page.getByRole("button", { name: "Approve", exact: true });
  await expect(approve).toHaveCount(1);
  expect((await approve.boundingBox())?.y).toBeLessThan(150);
});
