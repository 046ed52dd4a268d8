import { beforeEach, describe, expect, it } from "vitest";
import { GET as getKey } from "#app/api/v1/api-keys/[id]/route.ts";
import { POST as rotate } from "#app/api/v1/api-keys/[id]/rotate/route.ts";
import { GET as getJson } from "#app/api/v1/feeds/[id]/delivered.json/route.ts";
import { GET as getRss } from "#app/api/v1/feeds/[id]/delivered.rss/route.ts";
import { hashKey } from "#lib/auth/api-key.ts";
import { db } from "#lib/db.ts";
import type { KeyFigures } from "#lib/keys/schema.ts";
import { makeKey, makeMember, makePending } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";
import { emptyQueue, next, settle } from "./moves.ts";

beforeEach(emptyQueue);

async function bot() {
  const { id: member } = await makeMember("reviewer");
  const key = await makeKey({ created_by: member, scopes: ["consume"] });
  const owner = await makeKey({ created_by: member, scopes: ["read", "consume", "keys"] });
  const { id } = await db.api_key.findUniqueOrThrow({ where: { key_hash: hashKey(key) } });
  const { json } = await call<KeyFigures>(getKey, {
    path: `/api/v1/api-keys/${id}`,
    params: { id: String(id) },
    key: owner,
  });
  if (json.feeds === null) throw new Error("the owner sees no feeds");
  return { key, owner, id, feeds: json.feeds };
}

async function delivered(key: string, values: Parameters<typeof makePending>[0] = {}) {
  const post = await makePending(values);
  await next(key);
  expect((await settle("ack", key, post.id)).status).toBe(204);
  return post;
}

type Feed = { items: { id: string; url: string; title: string; content_text: string }[] };
const read = (path: string, headers: Record<string, string> = {}) => {
  const id = /feeds\/(\d+)\//.exec(path)?.[1] ?? "";
  return call<Feed & { code?: string }>(path.includes(".json") ? getJson : getRss, {
    path,
    params: { id },
    headers,
  });
};
const uris = async (path: string) => (await read(path)).json.items.map(({ id }) => id);

describe("the feeds of delivered posts", () => {
  it("have the posts of this key, newest first, in both formats", async () => {
    const { key, feeds } = await bot();
    const first = await delivered(key, { snippet: "Fish & <chips>\u0001", hashtags: ["a&b"] });
    const second = await delivered(key);
    await delivered((await bot()).key);
    await makePending();
    const json = await read(feeds.json);
    expect(json.headers.get("content-type")).toBe("application/feed+json; charset=utf-8");
    expect(json.json.items).toMatchObject([
      { id: second.uri },
      { id: first.uri, content_text: "Fish & <chips>\u0001" },
    ]);
    const rss = await read(feeds.rss);
    expect(rss.headers.get("content-type")).toBe("application/rss+xml; charset=utf-8");
    expect(rss.text).toContain("<description>Fish &amp;amp; &amp;lt;chips&amp;gt;</description>");
    expect(rss.text).toContain("<category>a&amp;b</category>");
    expect(rss.text).not.toContain("\u0001");
  });

  it("lose posts that may not be delivered any more", async () => {
    const { key, feeds } = await bot();
    const author = { author_username: "shy", author_key: "shy@mastodon.example" };
    const [gone, rejected, erased, blocked, optedOut, stays] = [
      await delivered(key),
      await delivered(key),
      await delivered(key),
      await delivered(key, { author_username: "spam", author_key: "spam@mastodon.example" }),
      await delivered(key, author),
      await delivered(key),
    ];
    expect(await uris(feeds.json)).toHaveLength(6);
    await db.post.delete({ where: { id: gone.id } });
    await db.post.update({ where: { id: rejected.id }, data: { approved: false } });
    await db.post.update({ where: { id: erased.id }, data: { erased_at: new Date() } });
    await db.blocked_user.create({
      data: { account_identifier: "spam@mastodon.example", pattern_type: "exact" },
    });
    const other = await makePending(author);
    await next(key);
    await settle("error", key, other.id, {
      reason: "Author opts out of bot interaction (nobot)",
      error_details: { error_type: "nobot" },
    });
    expect(await uris(feeds.json)).toEqual([stays.uri]);
    expect((await read(feeds.rss)).text).not.toContain(optedOut.uri);
    await db.blocked_user.deleteMany();
    expect(await uris(feeds.json)).toEqual([stays.uri, blocked.uri]);
  });

  it("are closed without the token, with another key's token, and after rotating or revoking", async () => {
    const [one, two] = [await bot(), await bot()];
    const closed = async (path: string) => {
      const { status, json } = await read(path);
      expect([status, json.code]).toEqual([404, "feed_not_found"]);
    };
    await closed(one.feeds.json.replace(/\?.*/, ""));
    await closed(`${one.feeds.json}x`);
    await closed(one.feeds.json.replace(`/feeds/${one.id}/`, `/feeds/${two.id}/`));
    await closed("/api/v1/feeds/999999/delivered.rss?token=x");
    await call(rotate, { method: "POST", path: "/x", params: { id: String(one.id) }, key: one.owner });
    await closed(one.feeds.json);
    expect((await read(two.feeds.rss)).status).toBe(200);
    await db.api_key.update({ where: { id: two.id }, data: { revoked_at: new Date() } });
    await closed(two.feeds.rss);
  });

  it("answer 304 while nothing has changed, and are not stored by shared caches", async () => {
    const { key, feeds } = await bot();
    await delivered(key);
    const first = await read(feeds.rss);
    expect(first.headers.get("cache-control")).toBe("private, max-age=300");
    const etag = first.headers.get("etag") as string;
    const again = await read(feeds.rss, { "if-none-match": etag });
    expect([again.status, again.text]).toEqual([304, ""]);
    await delivered(key);
    expect((await read(feeds.rss, { "if-none-match": etag })).status).toBe(200);
  });
});
