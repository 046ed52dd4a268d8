import { expect } from "#tests/setup/journey.ts";
import { testAt } from "#tests/setup/own-place.ts";
import { lookAtPages } from "#tests/setup/page-look.ts";
import { pagesOf } from "#tests/setup/pages.ts";
import { startPlace } from "#tests/setup/place.ts";

/*
 * Every page of an installation in which nothing has happened yet, in the same shapes as those of one at work.
 */

const test = testAt(() => startPlace({ posts: 0, hashtags: [] }, () => Promise.resolve({})));
test.use({ trace: "off" });

test("every page without any data passes axe in both themes, wide and narrow", async ({ browser, place }) => {
  test.setTimeout(300_000);
  const pages = pagesOf({});
  expect(pages.map((each) => each.path)).toEqual(
    expect.arrayContaining(["/", "/review", "/queue", "/streams", "/statistics"]),
  );
  await lookAtPages(browser, place, pages);
});
