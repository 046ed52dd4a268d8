import { expect, test } from "vitest";
import { isPlainTarget } from "./request-target.ts";

test.each([
  "/",
  "/queue",
  "/queue/",
  "/api/v1/posts",
  "/api/v1/posts?limit=5&next=//x/",
  "/api/v1/posts/12%20",
  "/api/v1/authors/%40a%40b.example",
  "/api/v1/posts?q=%ff",
  "/.well-known/security.txt",
  "/%E2%9C%93",
])("%s may reach a route", (target) => {
  expect(isPlainTarget(target)).toBe(true);
});

test.each([
  "",
  "*",
  "//",
  "//api/v1/posts",
  "/api//v1/posts",
  "/api/v1/posts/",
  "/api/v1/posts/?limit=5",
  "/health/",
  "/readyz/?x=1",
  "/media/post/1/0/",
  "/api/v1/posts/%ff",
  "/api/v1/posts/%",
  "/api/v1/posts/%zz",
  "/api/v1/posts/%00",
  "/api/v1/posts/..",
  "/api/v1/posts/../stats",
  "/api/v1/posts/%2e%2e/stats",
  "/./api/v1/posts",
  "/api\\v1/posts",
])("%s may not", (target) => {
  expect(isPlainTarget(target)).toBe(false);
});
