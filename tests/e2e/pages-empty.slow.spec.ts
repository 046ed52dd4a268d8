import { expect, installationTest } from "#tests/setup/browser-test.ts";
import { checkPages, listPages } from "#tests/setup/page-checks.ts";
import { startWithAdmin } from "#tests/setup/installation.ts";

const test = installationTest(() => startWithAdmin({ posts: 0, hashtags: [] }, () => Promise.resolve({})));
test.use({ trace: "off" });

test("every page without any data passes axe in both themes, wide and narrow", async ({
  browser,
  installation,
}) => {
  test.setTimeout(300_000);
  const pages = listPages({});
  expect(pages.map((each) => each.path)).toEqual(
    expect.arrayContaining(["/", "/review", "/queue", "/streams", "/statistics"]),
  );
  await checkPages(browser, installation, pages);
});
