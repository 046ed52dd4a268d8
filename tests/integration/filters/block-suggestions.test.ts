import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { GET as getActions } from "#app/api/v1/actions/route.ts";
import { POST as postUndo } from "#app/api/v1/actions/[id]/undo/route.ts";
import { DELETE as dismiss } from "#app/api/v1/block-suggestions/[id]/route.ts";
import * as suggestions from "#app/api/v1/block-suggestions/route.ts";
import { POST as blockHashtag } from "#app/api/v1/reblog-controls/blocked-hashtags/route.ts";
import { POST as blockUser } from "#app/api/v1/reblog-controls/blocked-users/route.ts";
import type { ActionList } from "#lib/actions/schema.ts";
import type { BlockSuggestion, BlockSuggestionList } from "#lib/blocking/suggestion-schema.ts";
import { db } from "#lib/db.ts";
import { makeKey, makePost } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";

let admin: string, reviewer: string, viewer: string;
beforeAll(async () => {
  [admin, reviewer, viewer] = [
    await makeKey(),
    await makeKey({ role: "reviewer" }),
    await makeKey({ role: "viewer" }),
  ];
});
beforeEach(async () => {
  await db.$executeRaw`TRUNCATE block_suggestion, blocked_user, blocked_hashtag, audit_event`;
});

const path = "/api/v1/block-suggestions";
const user = { kind: "user", name: "@Spam@bad.example", reason: "Only adverts" };
const suggest = (body: object = user, key = reviewer) =>
  call<BlockSuggestion & { detail: string }>(suggestions.POST, { method: "POST", path, key, body });
const list = async (key = viewer) => (await call<BlockSuggestionList>(suggestions.GET, { path, key })).json;
const remove = (id: number, key = admin) =>
  call(dismiss, { method: "DELETE", path: `${path}/${id}`, params: { id: String(id) }, key });

const undoLast = async (key = admin) => {
  const actions = await call<ActionList>(getActions, { path: "/api/v1/actions", key });
  const id = actions.json.items[0]?.id ?? "";
  return call(postUndo, { method: "POST", path: `/api/v1/actions/${id}/undo`, params: { id }, key });
};

describe("a suggestion to block", () => {
  it("is made by a reviewer with a reason, and listed", async () => {
    const { id } = await makePost();
    const made = await suggest({ ...user, post_id: id });
    expect(made).toMatchObject({
      status: 201,
      json: { kind: "user", name: "@spam@bad.example", reason: "Only adverts", post_id: id },
    });
    await suggest({ kind: "hashtag", name: "#FollowBack", reason: "spam" });
    const { items, total } = await list();
    expect([items.map(({ name }) => name), total]).toEqual([["@spam@bad.example", "#FollowBack"], 2]);
    expect(items[0]).toEqual(made.json);
    expect(await db.audit_event.count({ where: { action: "block.suggest" } })).toBe(2);
    expect(await db.blocked_user.count()).toBe(0);
  });

  it("of a domain is one target in all its spellings; the block of the domain accepts it, and the undo opens it again", async () => {
    const domain = { ...user, name: "https://Bad.example/" };
    expect((await suggest(domain)).json).toMatchObject({ kind: "user", name: "bad.example" });
    expect((await suggest({ ...domain, name: "@bad.example" })).status).toBe(409);
    expect((await suggest()).status).toBe(201);
    const open = async () => (await list()).items.map(({ name }) => name);
    expect(await open()).toEqual(["bad.example", "@spam@bad.example"]);
    const body = { account_identifier: "@bad.example", pattern_type: "suffix", subdomains: true };
    const block = () =>
      call<{ detail: string }>(blockUser, {
        method: "POST",
        path: "/api/v1/reblog-controls/blocked-users",
        key: admin,
        body,
      });
    expect((await block()).status).toBe(201);
    // The suggestion of an account is about the account.
    expect(await open()).toEqual(["@spam@bad.example"]);
    expect((await block()).status).toBe(409);
    expect((await suggest({ ...domain, name: "bad.example" })).status).toBe(409);
    await undoLast();
    expect(await open()).toEqual(["bad.example", "@spam@bad.example"]);
    expect(await db.blocked_user.count()).toBe(0);
  });

  it("is open once for each target, also with parallel requests", async () => {
    const answers = await Promise.all([suggest(), suggest({ ...user, name: "spam@bad.example" }), suggest()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect((await list()).total).toBe(1);
  });

  it.each([
    [{ ...user, name: "spam" }, 422],
    [{ ...user, reason: "" }, 422],
    [{ ...user, kind: "server" }, 422],
    [{ kind: "hashtag", name: "two words", reason: "x" }, 422],
  ])("%j is refused with %i", async (body, status) => {
    expect((await suggest(body)).status).toBe(status);
    expect((await list()).total).toBe(0);
  });

  it("names a stored post that still has its content, and loses its reason with it", async () => {
    const erased = await makePost({ erased_at: new Date() });
    expect((await suggest({ ...user, post_id: erased.id })).json.detail).toMatch(/^Post was deleted/);
    expect((await suggest({ ...user, post_id: erased.id + 1 })).status).toBe(404);
    expect((await list()).total).toBe(0);
    const [{ id }, other] = [await makePost(), await makePost()];
    await suggest({ ...user, post_id: id });
    await suggest({ ...user, name: "other@bad.example", post_id: other.id });
    await suggest({ ...user, name: "third@bad.example" });
    await db.post.delete({ where: { id } });
    expect((await list()).items.map(({ reason }) => reason)).toEqual(["", "Only adverts", "Only adverts"]);
  });

  it("is refused when the target is blocked already", async () => {
    await db.blocked_user.create({ data: { account_identifier: "spam@bad.example", pattern_type: "exact" } });
    expect((await suggest()).status).toBe(409);
  });

  it("is dismissed once, and can be made again", async () => {
    const { id } = (await suggest()).json;
    expect((await remove(id)).status).toBe(204);
    expect((await remove(id)).status).toBe(404);
    expect((await list()).items).toEqual([]);
    expect((await suggest()).status).toBe(201);
  });

  it("is withdrawn by its maker's undo while it is open", async () => {
    await suggest();
    expect(await undoLast(reviewer)).toMatchObject({ status: 200, json: { restored: 1, limits: [] } });
    expect((await list()).items).toEqual([]);
    const { id } = (await suggest()).json;
    await remove(id);
    expect(await undoLast(reviewer)).toMatchObject({
      json: { restored: 0, limits: [{ reason: "changed_again" }] },
    });
    expect(await undoLast()).toMatchObject({ json: { restored: 1 } });
    expect((await list()).items.map((each) => each.id)).toEqual([id]);
  });
});

describe("a block accepts the suggestion of its target, and its undo opens it again", () => {
  it.each([
    ["blocked-users", blockUser, { account_identifier: "spam@bad.example" }, user],
    [
      "blocked-hashtags",
      blockHashtag,
      { hashtag: "followback" },
      { kind: "hashtag", name: "#FollowBack", reason: "x" },
    ],
  ])("in %s", async (name, handler, body, suggested) => {
    await suggest(suggested);
    await suggest({ ...user, name: "other@bad.example" });
    await call(handler, { method: "POST", path: `/api/v1/reblog-controls/${name}`, key: admin, body });
    expect((await list()).items.map((each) => each.name)).toEqual(["@other@bad.example"]);
    expect(await undoLast()).toMatchObject({ status: 200, json: { restored: 1 } });
    expect((await list()).total).toBe(2);
  });
});
