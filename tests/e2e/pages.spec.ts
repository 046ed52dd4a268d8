import { globSync } from "node:fs";
import path from "node:path";
import { expect } from "#tests/setup/browser-test.ts";
import { test } from "#tests/setup/desk.ts";
import { checkPages, listPages } from "#tests/setup/page-checks.ts";

const API_REFERENCE = ["/docs", "/docs/queue", "/docs/posts"];

test("every page passes axe and loads nothing from other servers", async ({ browser, desk }) => {
  test.setTimeout(180_000);
  const kinds = ["picture", "content_warning", "video", "poll", "card", "quote"] as const;
  const { streamId, posts } = await desk.addPosts(kinds.map((kind) => ({ kind })));
  const { json: key } = await desk.call<{ id: number }>("POST", "/api-keys/generate", { name: "Boost bot" });
  const { json: post } = await desk.call<{ author_account: string }>("GET", `/posts/${posts[0]?.id}`);
  const pages = listPages({
    streamId,
    postId: posts[0]?.id ?? 0,
    account: post.author_account,
    keyId: key.id,
  });
  const deck = `/review?stream_id=${streamId}`;
  await checkPages(
    browser,
    desk,
    [
      ...pages.map((each) => (each.path === "/review" ? { ...each, path: deck } : each)),
      { name: "grid", path: `${deck}&view=grid` },
      { name: "reference", path: "/docs/queue", signedOut: true },
    ],
    "once",
  );
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

test(
  "the API reference finds an operation by path and by keyboard",
  { tag: "@slow" },
  async ({ page, desk }) => {
    await page.goto(new URL("/docs", desk.app.url).href);
    const search = page.getByRole("searchbox", { name: "Search operations" });
    await search.fill("get curated/next");
    await search.press("Enter");
    const found = page.getByRole("main").getByRole("listitem").first();
    await expect(found).toContainText("Reserve the next post");
    await found.getByRole("link").press("Enter");
    await expect(page).toHaveURL(/\/docs\/queue#reserveNext$/);
    await expect(page.getByRole("heading", { name: "Reserve the next post" })).toBeInViewport();
    await search.fill("no such operation");
    await search.press("Enter");
    await expect(page.getByRole("status").filter({ hasText: "No operation matches" })).toBeVisible();
  },
);
