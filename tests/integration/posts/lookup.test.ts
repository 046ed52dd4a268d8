import { describe, expect, it } from "vitest";
import { GET } from "#app/api/v1/lookup/route.ts";
import { db } from "#lib/db.ts";
import type { Lookup } from "#lib/posts/lookup-schema.ts";
import { makeKey, makePost } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";

async function ask(address: string, key: string) {
  const path = `/api/v1/lookup?${new URLSearchParams({ address }).toString()}`;
  return call<Lookup>(GET, { path, key });
}

describe("GET /lookup", () => {
  it("finds a post by its page, its URI and another server's view", async () => {
    const key = await makeKey({ scopes: ["read"], role: "viewer" });
    const post = await makePost({
      uri: "https://mastodon.example/users/Alice/statuses/113",
      url: "https://mastodon.example/@Alice/113",
      author_username: "Alice",
      author_display_name: "Alice L.",
      snippet: "A heron",
    });
    const found = { id: post.id, author_account: "@Alice@mastodon.example", snippet: "A heron", emojis: [] };
    for (const address of [
      post.uri,
      post.url ?? "",
      "https://mastodon.example/web/@Alice/113",
      `${post.url ?? ""}?a=b#c`,
    ]) {
      const answer = await ask(address, key);
      expect(answer.status, address).toBe(200);
      expect(answer.json.post, address).toEqual(found);
      expect(answer.json.author).toEqual({
        account: "@Alice@mastodon.example",
        display_name: "Alice L.",
        known: true,
      });
    }
  });

  it("returns the author of a post that is not stored, or neither", async () => {
    const key = await makeKey({ scopes: ["read"], role: "viewer" });
    const post = await makePost({ author_username: "bob" });
    const seen = await ask("https://elsewhere.example/@bob@mastodon.example/77", key);
    expect(seen.json).toMatchObject({ post: null, author: { account: post.author_account, known: true } });
    const stranger = await ask("@nobody@nowhere.example", key);
    expect(stranger.json).toEqual({
      post: null,
      author: { account: "@nobody@nowhere.example", display_name: null, known: false },
    });
    expect((await ask("just words", key)).json).toEqual({ post: null, author: null });
  });

  it("says why and since when a refused or deleted post is not stored", async () => {
    const key = await makeKey();
    const [refused, deleted] = [
      "https://mastodon.example/users/dan/statuses/7",
      "https://mastodon.example/users/dan/statuses/8",
    ];
    await db.consent_drop.create({ data: { uri: refused, rule: "noindex" } });
    const post = await makePost({ uri: deleted, url: null });
    await db.$queryRaw`SELECT delete_posts(ARRAY[${post.id}]::int[], 'opt_out')`;
    const at = expect.stringMatching(/^\d{4}-/) as string;
    expect((await ask("https://mastodon.example/@dan/7", key)).json).toMatchObject({
      post: null,
      removed: { kind: "refused", reason: "noindex", at },
    });
    expect((await ask(deleted, key)).json.removed).toEqual({ kind: "deleted", reason: "opt_out", at });
    expect((await ask("https://mastodon.example/@dan/9", key)).json).not.toHaveProperty("removed");
  });

  it("returns the first of several posts and the author's latest name", async () => {
    const key = await makeKey({ scopes: ["read"] });
    const author = { author_username: "cleo" };
    const page = "https://mastodon.example/@cleo/5";
    const at = (day: number) => new Date(Date.UTC(2026, 1, day));
    const first = await makePost({ ...author, url: page, author_display_name: "New", created_at: at(2) });
    await makePost({ ...author, uri: page, author_display_name: "Old", created_at: at(1) });
    expect((await ask(page, key)).json).toMatchObject({
      post: { id: first.id },
      author: { display_name: "New" },
    });
  });

  it("refuses an empty address and a NUL character", async () => {
    const key = await makeKey({ scopes: ["read"] });
    for (const address of ["", "a\0b", "x".repeat(2001)]) expect((await ask(address, key)).status).toBe(422);
    expect((await call(GET, { path: "/api/v1/lookup", key })).status).toBe(422);
  });
});
