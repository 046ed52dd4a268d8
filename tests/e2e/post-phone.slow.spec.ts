import type { Page } from "@playwright/test";
import { deskTest, textPost } from "#tests/setup/desk.ts";
import { expect } from "#tests/setup/browser-test.ts";

/* The decision bar of a post's page stays at the bottom of a phone and covers no focused element. */

const test = deskTest();

const decisions = (page: Page) => page.getByRole("group", { name: "Decide" });

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
  test(`the decision bar stays above the navigation while scrolling, with an inset of ${inset} pixels`, async ({
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
    await expect(page.getByRole("button", { name: "Approve", exact: true })).toHaveCount(1);
    const above = await edges(page);
    expect(above.navigation.bottom - above.navigation.top).toBeGreaterThanOrEqual(56 + inset);
    expect(above.bar.bottom).toBe(above.navigation.top);

    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(200);
    const end = await edges(page);
    expect(end.bar.bottom).toBe(end.navigation.top);
    expect(end.last.bottom).toBeLessThanOrEqual(end.bar.top);

    await page.evaluate(() => window.scrollTo(0, 0));
    const link = page.locator("main section").last().getByRole("link").last();
    await link.focus();
    const { bar } = await edges(page);
    const at = await link.boundingBox();
    expect((at?.y ?? 0) + (at?.height ?? 0)).toBeLessThanOrEqual(bar.top);
  });
}

test("a decision shows its message above the bar, and the bar shows the next actions", async ({
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

  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(decisions(page)).toBeHidden();
  const approve = page.getByRole("button", { name: "Approve", exact: true });
  await expect(approve).toHaveCount(1);
  expect((await approve.boundingBox())?.y).toBeLessThan(150);
});
