import { beforeAll, expect, test } from "vitest";
import { GET } from "#app/api/v1/posts/route.ts";
import { db } from "#lib/base/db.ts";
import { searchLexemes } from "#lib/base/tokens.ts";
import type { PostList } from "#lib/review/post-schema.ts";
import { makeKey, makePost } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";

let key: string;
beforeAll(async () => {
  key = await makeKey({ scopes: ["read"] });
});

async function find(q: string, rest: Record<string, string> = {}) {
  const path = `/api/v1/posts?${new URLSearchParams({ q, ...rest }).toString()}`;
  const { status, json } = await call<PostList>(GET, { path, key });
  expect(status, q).toBe(200);
  expect(json.total).toBe(json.items.length);
  return json.items.map(({ id }) => id);
}

test("an address finds the post by its page, its URI and another view", async () => {
  const author = { author_username: "Alice" };
  const post = await makePost({
    ...author,
    uri: "https://mastodon.example/users/Alice/statuses/113",
    url: "https://mastodon.example/@Alice/113",
  });
  const other = await makePost(author);
  for (const q of [
    post.uri,
    ` ${post.url ?? ""} `,
    "https://mastodon.example/web/@Alice/113",
    `${post.url ?? ""}?a=b#c`,
  ])
    expect(await find(q), q).toEqual([post.id]);
  expect(await find(post.uri, { reviewed: "true" })).toEqual([]);
  expect(await find(post.uri, { queue_status: "pending" })).toEqual([]);
  const both = [other.id, post.id].sort();
  for (const q of [
    "@alice@mastodon.example",
    "https://mastodon.example/@Alice",
    "https://elsewhere.example/@Alice@mastodon.example/77",
  ])
    expect((await find(q)).sort(), q).toEqual(both);
});

test("an address that leads to no post is searched as words, as other texts are", async () => {
  const text = "A kingfisher, by @perch@river.example, https://birds.example/kingfishers/7";
  const post = await makePost({ plain_text: text });
  const lexemes = searchLexemes({ ...post, media: [] });
  await db.$executeRaw`UPDATE post SET search = array_to_tsvector(${lexemes}::text[]) WHERE id = ${post.id}`;
  for (const q of [
    "kingfisher",
    "@kingfisher",
    "https://birds.example/kingfishers/7",
    "@perch@river.example",
    "acct:perch@river.example",
  ])
    expect(await find(q), q).toEqual([post.id]);
  for (const q of ["https://nowhere.example/1", "@nobody@nowhere.example"])
    expect(await find(q), q).toEqual([]);
});
