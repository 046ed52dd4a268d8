import { expect } from "#tests/setup/journey.ts";
import { testAt } from "#tests/setup/own-place.ts";
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

test("the API reference passes axe in both themes, wide and narrow, and loads nothing from other servers", async ({
  browser,
  place,
}) => {
  test.setTimeout(120_000);
  const pages = ["/docs", "/docs/curated-queue", "/docs/posts"];
  await lookAtPages(
    browser,
    place,
    pages.map((path) => ({ name: path, path, signedOut: true })),
  );
});

test("the API reference finds an operation by its path, and the keyboard leads to it", async ({
  page,
  place,
}) => {
  await page.goto(new URL("/docs", place.app.url).href);
  const search = page.getByRole("searchbox", { name: "Search operations" });
  await search.fill("get curated/next");
  await expect(page.getByRole("navigation").getByRole("listitem")).toHaveCount(1);
  await search.press("Enter");
  await expect(page).toHaveURL(/\/docs\/curated-queue#getCuratedNext$/);
  await expect(page.getByRole("heading", { name: "Reserve the next post" })).toBeInViewport();
  await search.fill("no such operation");
  await expect(page.getByRole("status").filter({ hasText: "No operation matches." })).toBeVisible();
});
