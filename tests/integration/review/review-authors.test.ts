import { describe, expect, it } from "vitest";
import { GET } from "#app/api/v1/authors/[account]/route.ts";
import { db } from "#lib/base/db.ts";
import type { Author } from "#lib/review/author-schema.ts";
import { makeKey, makePost } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";

const viewer = await makeKey({ role: "viewer" });

const show = (account: string, key = viewer) =>
  call<Author & { detail: string }>(GET, { path: "/api/v1/authors/x", params: { account }, key });

describe("GET /authors/{account}", () => {
  it("returns counts and the last decisions", async () => {
    const author = { author_username: "Zoe", instance: "zoo.example" };
    const at = (n: number) => new Date(Date.UTC(2026, 1, n));
    await makePost({
      ...author,
      created_at: at(1),
      approved: true,
      reviewed_at: at(9),
      approved_at: at(9),
      auto_reject_reason: "bot",
    });
    await makePost({
      ...author,
      created_at: at(2),
      approved: false,
      reviewed_at: at(3),
      auto_reject_reason: "bot",
    });
    await makePost({ ...author, created_at: at(3), author_display_name: "Zoë", author_is_bot: true });
    await makePost({ author_username: "zoe", instance: "other.example" });
    const { status, json } = await show("@zoe@zoo.example");
    expect(status).toBe(200);
    expect(json).toMatchObject({
      account: "@Zoe@zoo.example",
      display_name: "Zoë",
      is_bot: true,
      posts: 3,
      approved: 1,
      rejected: 1,
      auto_rejected: 1,
      unreviewed: 1,
      first_post_at: at(1).toISOString(),
      last_post_at: at(3).toISOString(),
    });
    for (const spelling of ["Zoe@ZOO.example", "%40zoe%40zoo.example", "https://zoo.example/@zoe"]) {
      expect((await show(spelling)).json.posts).toBe(3);
    }
    expect((await show("nobody@nowhere.example")).json).toMatchObject({ posts: 0, blocked_by: [] });
  });

  it("returns matching block-list entries and an open opt-out", async () => {
    const account = "@mia@blocks.example";
    const block = (account_identifier: string, pattern_type: "exact" | "domain") =>
      db.blocked_user.create({ data: { account_identifier, pattern_type } });
    const exact = await block("mia@blocks.example", "exact");
    const suffix = await block("blocks.example", "domain");
    await block("other@blocks.example", "exact");
    expect((await show(account)).json.blocked_by).toEqual([
      { id: exact.id, account_identifier: "mia@blocks.example", pattern_type: "exact", subdomains: false },
      { id: suffix.id, account_identifier: "@blocks.example", pattern_type: "suffix", subdomains: true },
    ]);
    const post = await makePost({ author_username: "mia", instance: "blocks.example" });
    await db.reported_opt_out.create({
      data: { author_key: "mia@blocks.example", reason: "nobot", post_id: post.id },
    });
    expect((await show(account)).json.opt_out).toMatchObject({ reason: "nobot" });
    await db.reported_opt_out.update({
      where: { author_key: "mia@blocks.example" },
      data: { resolved_at: new Date(), resolution: "dismissed" },
    });
    expect((await show(account)).json.opt_out).toBeNull();
  });

  it.each(["zoe", "@zoe", "a@b@c", "%zz", "a%00@b.example", "%"])("answers 404 for %s", async (account) => {
    const answer = await show(account);
    expect([answer.status, answer.json.detail]).toEqual([404, "Author not found"]);
  });
});
