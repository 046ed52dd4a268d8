import { globSync } from "node:fs";
import path from "node:path";
import { expect, installationTest } from "#tests/setup/browser-test.ts";
import { startWithSampleData } from "#tests/setup/installation.ts";
import { checkPages, listPages } from "#tests/setup/page-checks.ts";

const test = installationTest(startWithSampleData);

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
  const views = ["/review?view=grid", "/posts?view=grid"];
  await checkPages(browser, installation, [...pages, ...views.map((path) => ({ name: path, path }))]);
});

test("the checks above and below cover every page file of app", () => {
  const app = path.resolve(import.meta.dirname, "../../app");
  const listed = listPages({ streamId: 1, postId: 1, account: "@ana@mastodon.example", keyId: 1 });
  const paths = [...listed.map((page) => page.path), ...API_REFERENCE];
  const patternOf = (file: string) => {
    const parts = file.split(path.sep).slice(0, -1);
    const shown = parts.filter((part) => !/^\(.*\)$/.test(part));
    return new RegExp(`^/${shown.map((part) => (part.startsWith("[") ? "[^/]+" : part)).join("/")}$`);
  };
  const files = globSync("**/page.tsx", { cwd: app });
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((file) => !paths.some((each) => patternOf(file).test(each)))).toEqual([]);
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

test("the API reference finds an operation by path and by keyboard", async ({ page, installation }) => {
  await page.goto(new URL("/docs", installation.app.url).href);
  const search = page.getByRole("searchbox", { name: "Search operations" });
  await search.fill("get curated/next");
  await expect(page.getByRole("navigation").getByRole("listitem")).toHaveCount(1);
  await search.press("Enter");
  await expect(page).toHaveURL(/\/docs\/queue#reserveNext$/);
  await expect(page.getByRole("heading", { name: "Reserve the next post" })).toBeInViewport();
  await search.fill("no such operation");
  await expect(page.getByRole("status").filter({ hasText: "No operation matches." })).toBeVisible();
});
