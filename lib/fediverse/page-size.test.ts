import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { FetchFailure } from "./fetch-failure.ts";
import { pageReader } from "./page-size.ts";
import type { TimelinePage } from "./timeline.ts";

const page: TimelinePage = { posts: [], older: null, newer: null, rate: null };
const skipped: TimelinePage = { ...page, posts: [{ ok: false, reason: "too_large", uri: null }] };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Answers above `limit` posts are too large, and take `ms`. */
function reader(limit: () => number, { ms = 0, found = page } = {}) {
  const sizes: number[] = [];
  const read = pageReader(40);
  const next = () =>
    read((size) => {
      sizes.push(size);
      if (size <= limit()) return Promise.resolve(found);
      vi.advanceTimersByTime(ms);
      return Promise.reject(new FetchFailure("too_large", "a.example sent more than 2 MiB."));
    });
  return { sizes, next };
}

it("asks for 20, 10, 5 and 1 posts", async () => {
  const { sizes, next } = reader(() => 1);
  await next();
  expect(sizes).toEqual([40, 20, 10, 5, 1]);
});

it("asks for one step more after each page that could be read", async () => {
  let limit = 5;
  const { sizes, next } = reader(() => limit);
  await next();
  limit = 40;
  for (let n = 0; n < 3; n++) await next();
  expect(sizes.slice(4)).toEqual([10, 20, 40]);
});

it("stays at one post while posts are skipped", async () => {
  const { sizes, next } = reader(() => 1, { found: skipped });
  await next();
  await next();
  expect(sizes).toEqual([40, 20, 10, 5, 1, 1]);
});

it("asks for one post at once when an answer above the limit is slow", async () => {
  const { sizes, next } = reader(() => 1, { ms: 4_000 });
  await next();
  expect(sizes).toEqual([40, 1]);
});

it("fails when one post is too large, and with other failures at once", async () => {
  await expect(reader(() => 0).next()).rejects.toMatchObject({ kind: "too_large" });
  const ask = vi.fn(() => Promise.reject(new FetchFailure("timeout", "a.example did not answer in time.")));
  await expect(pageReader(40)(ask)).rejects.toMatchObject({ kind: "timeout" });
  expect(ask).toHaveBeenCalledTimes(1);
});
