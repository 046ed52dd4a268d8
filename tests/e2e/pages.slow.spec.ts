import { expect, sampleTest as test } from "#tests/setup/browser-test.ts";
import { checkPages, listPages } from "#tests/setup/page-checks.ts";

const API_REFERENCE = ["/docs", "/docs/queue", "/docs/posts"];

// A trace would record the whole page at every check.
test.use({ trace: "off" });

test("every page passes axe, has no animation with reduced motion, and loads nothing from other servers", async ({
  browser,
  installation,
}) => {
  test.setTimeout(300_000);
  const { sample } = installation;
  const { streamId, duplicate: postId, account, keyId } = sample;
  const pages = listPages({ streamId, postId, account, keyId });
  expect(pages.length).toBeGreaterThan(9);
  const views = ["/review?view=grid"];
  await checkPages(browser, installation, [...pages, ...views.map((path) => ({ name: path, path }))]);
});

test("the API reference passes axe in both themes, wide and narrow, and loads nothing from other servers", async ({
  browser,
  installation,
}) => {
  test.setTimeout(120_000);
  await checkPages(
    browser,
    installation,
    API_REFERENCE.map((path) => ({ name: path, path, signedOut: true })),
  );
});
