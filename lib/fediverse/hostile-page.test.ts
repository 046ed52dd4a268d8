import { describe, expect, it } from "vitest";
import { longestBlockingTime } from "#tests/setup/blocking-time.ts";
import type { HostRequest } from "./guarded-fetch.ts";
import { sanitiseContent } from "./sanitise-content.ts";
import { hashtagSource, type TimelinePage } from "./hashtag-source.ts";

/* Pages of at most 2 MiB, made to be slow to read. */

const HOST = "hostile.example";
const MAX_PAGE = 2 * 1024 * 1024;
const repeat = (text: string, length: number) =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length);

function page(family: "mastodon" | "misskey", item: (n: number) => object) {
  const items: object[] = [];
  for (let bytes = 0; ; items.push(item(items.length))) {
    bytes += JSON.stringify(item(items.length)).length + 1;
    if (bytes > MAX_PAGE) break;
  }
  const request: HostRequest = (url) => {
    const body = url.endsWith("users/show") ? [] : items;
    return Promise.resolve({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)), url });
  };
  const software = { family, name: family, version: "1", raw: null } as never;
  return hashtagSource({ host: HOST, software, token: null, request }, "cats");
}

const status =
  (html: string, note = "") =>
  (n: number) => ({
    id: String(n),
    uri: `https://${HOST}/users/a/statuses/${n}`,
    created_at: "2026-05-04T12:00:00.000Z",
    visibility: "public",
    content: html,
    account: { acct: "a", url: `https://${HOST}/@a`, note },
  });

const note = (text: string) => (n: number) => ({
  id: String(n),
  createdAt: "2026-05-04T12:00:00.000Z",
  visibility: "public",
  text,
  user: { username: "a" },
});

async function read(source: ReturnType<typeof page>) {
  let read: TimelinePage | undefined;
  const longest = await longestBlockingTime(async () => (read = await source(null)));
  return { longest, posts: read?.posts ?? [] };
}

describe("a page of hostile markup", () => {
  it.each([
    ["mastodon", "<p>"],
    ["mastodon", "<li>"],
    ["mastodon", "<svg>"],
    ["mastodon", '<img alt="x">'],
    ["misskey", "```a\n"],
    ["misskey", "<b>"],
    ["misskey", "#・"],
  ] as const)("of %s is read in slices of bounded time: %j", { timeout: 60_000 }, async (family, unit) => {
    const item = family === "misskey" ? note(repeat(unit, 20_000)) : status(repeat(unit, 90_000));
    const { longest, posts } = await read(page(family, item));
    expect(posts.filter((post) => post.ok).length).toBeGreaterThan(15);
    expect(longest).toBeLessThan(1_000);
  });

  it("keeps its text without elements, and ordinary posts keep theirs", async () => {
    const hostile = status(`${"<b>x</b>".repeat(5_000)}<p>#<i>nobot</i> &lt;`);
    const ordinary = status("<p>Hi</p>");
    const { posts } = await read(page("mastodon", (n) => (n === 30 ? ordinary(n) : hostile(n))));
    expect(posts[30]).toMatchObject({ post: { content_html: "<p>Hi</p>" } });
    expect(posts[0]).toMatchObject({
      ok: true,
      post: { content_html: `${"x".repeat(5_000)}\n#nobot &lt;`, hashtags: ["nobot"] },
    });
  });

  it("drops a post whose sanitised text is too large", async () => {
    const { posts } = await read(page("mastodon", status(repeat("<", 90_000))));
    expect(posts[0]).toMatchObject({ ok: false, reason: "too_large" });
  });
});

it("sanitising text beyond the budget again changes nothing", () => {
  const once = sanitiseContent("<p>a &amp; b &copy;".repeat(3_000));
  expect(sanitiseContent(once)).toBe(once);
  expect(once).toContain("a &amp; b &amp;copy;\n");
});
