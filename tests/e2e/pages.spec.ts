import { THEME_COOKIE } from "#components/shell/theme-cookie.ts";
import { expect } from "#tests/setup/journey.ts";
import { testAt } from "#tests/setup/own-place.ts";
import { expectAccessible, expectSettled, watchForeignRequests } from "#tests/setup/page-checks.ts";
import { lookAtPages } from "#tests/setup/page-look.ts";
import { pagesOf } from "#tests/setup/pages.ts";
import { startBusyPlace } from "#tests/setup/place.ts";

/*
 * Every page of an installation at work: accessible in both themes, wide and narrow, enlarged to 200 %, without motion
 * for who wants none, and at home on its own origin.
 */

const test = testAt(startBusyPlace);

// Each look at a page would be recorded with the whole of it; what is wrong is named in the message.
test.use({ trace: "off" });

test("every page passes axe in both themes, wide and narrow, is still, and stays at home", async ({
  browser,
  place,
}) => {
  test.setTimeout(300_000);
  const { work } = place;
  const pages = pagesOf({ streamId: work.streamId, postId: work.duplicate, account: work.account });
  expect(pages.length).toBeGreaterThan(9);
  await lookAtPages(browser, place, pages);
});

for (const theme of ["light", "dark"] as const) {
  test(`the reference of the API passes axe in ${theme}, wide and narrow, and stays at home`, async ({
    page,
    place,
  }) => {
    test.setTimeout(120_000);
    const { url } = place.app;
    const foreign = watchForeignRequests(page, new URL(url).origin);
    // The reference takes its theme when it begins.
    await page.context().addCookies([{ name: THEME_COOKIE, value: theme, url }]);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(new URL("/docs", url).href);
      await expectSettled(page);
      await expect(page.getByRole("heading", { name: "Curated queue" }).first()).toBeVisible();
      await expectAccessible(page, `/docs at ${width} in ${theme}`);
    }
    expect(foreign).toEqual([]);
  });
}
