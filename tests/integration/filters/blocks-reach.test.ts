import { beforeEach, describe, expect, it } from "vitest";
import { GET as getActions } from "#app/api/v1/actions/route.ts";
import { POST as postUndo } from "#app/api/v1/actions/[id]/undo/route.ts";
import { GET as NEXT } from "#app/api/v1/curated/next/route.ts";
import { POST as postApprove } from "#app/api/v1/posts/[id]/approve/route.ts";
import { POST as postReject } from "#app/api/v1/posts/[id]/reject/route.ts";
import { DELETE as deletePost } from "#app/api/v1/posts/[id]/route.ts";
import { POST as postHashtags } from "#app/api/v1/reblog-controls/blocked-hashtags/import/route.ts";
import { POST as postHashtag } from "#app/api/v1/reblog-controls/blocked-hashtags/route.ts";
import { DELETE as deleteUser } from "#app/api/v1/reblog-controls/blocked-users/[id]/route.ts";
import { POST as postUser } from "#app/api/v1/reblog-controls/blocked-users/route.ts";
import type { ActionList, UndoResult } from "#lib/actions/schema.ts";
import { db } from "#lib/db.ts";
import { makeKey, makePending, makePost, makeStream } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";
import { makeCaller, type Caller } from "#tests/integration/history/action-rows/action-row.ts";
import { holdsOf } from "./filters-queue.ts";

/* The table of actions has the ordinary cases; these are the rules around them. */

const users = "reblog-controls/blocked-users";
const tags = "reblog-controls/blocked-hashtags";
const ann = { author_username: "ann", instance: "bad.example" };
const account = "ann@bad.example";

let caller: Caller;
beforeEach(async () => {
  caller = await makeCaller();
  await db.$executeRaw`TRUNCATE blocked_user, blocked_hashtag, block_change, post, stream CASCADE`;
});

const preview = async (action: string, body: object) => (await caller.preview({ action, body })).json;
const decide = (handler: typeof postApprove, id: number, method = "POST") =>
  caller.post(handler, `posts/${id}`, undefined, { id: String(id) }, method);
type Refusal = { detail: string };

describe("the hashtag of an own stream", () => {
  const detail = "This is the hashtag of your stream #Cats on mastodon.example: send confirm to do it";
  beforeEach(async () => {
    await makeStream({ hashtag: "Cats", instance: "mastodon.example" });
    await makePending({ hashtags: ["cats"] });
    await makePending({ hashtags: ["dogs"] });
    await makePost({ hashtags: ["CATS"] });
  });

  it("is named with the figures of the block", async () => {
    expect(await preview("block_hashtag", { hashtag: "cats", reject_waiting: true })).toMatchObject({
      changes: 3,
      counts: { entries: 1, held: 1, pending: 2, reserved: 0, waiting: 1 },
      warnings: [
        {
          code: "own_hashtag",
          count: 1,
          detail: "This is the hashtag of your stream #Cats on mastodon.example",
        },
      ],
    });
  });

  it("needs a second step at a screen, with a preview and without, alone and in a list", async () => {
    const { token } = await preview("block_hashtag", { hashtag: "cats" });
    const list = { text: "dogs\ncats\n" };
    const listed = await preview("import_hashtags", list);
    for (const answer of [
      await caller.post<Refusal>(postHashtag, tags, { hashtag: "cats" }),
      await caller.post<Refusal>(postHashtag, tags, { hashtag: "cats", preview: token }),
      await caller.post<Refusal>(postHashtags, `${tags}/import`, list),
      await caller.post<Refusal>(postHashtags, `${tags}/import`, { ...list, preview: listed.token }),
    ])
      expect(answer).toMatchObject({ status: 409, json: { detail } });
    expect(await db.blocked_hashtag.count()).toBe(0);
    // The refusals left both tokens unused.
    const done = await caller.post(postHashtag, tags, { hashtag: "cats", preview: token, confirm: true });
    expect(done.status).toBe(201);
  });

  it("is blocked at once for a program with an API key, as before", async () => {
    const key = await makeKey();
    const body = { hashtag: "cats" };
    const answer = await call(postHashtag, { method: "POST", path: `/api/v1/${tags}`, key, body });
    expect(answer).toMatchObject({ status: 201, json: { hashtag: "cats", matches: 1 } });
    expect(await db.post.count({ where: { approved: null } })).toBe(1);
  });
});

describe("a use of a preview", () => {
  it("is refused when more posts would be held than were counted", async () => {
    await makePending(ann);
    const body = { account_identifier: account };
    const { token } = await preview("block_user", body);
    const { id } = await makePending(ann);
    expect(await caller.post<Refusal>(postUser, users, { ...body, preview: token })).toMatchObject({
      status: 409,
      json: { detail: "More posts match now than the preview counted: ask for a new one" },
    });
    expect([await db.blocked_user.count(), await holdsOf(db, id)]).toEqual([0, 0]);
  });

  it("is refused when more posts would be released than were counted", async () => {
    const { id } = await db.blocked_user.create({
      data: { account_identifier: account, pattern_type: "exact" },
    });
    const { token } = await preview("unblock_user", { id });
    await makePending(ann);
    const path = `${users}/${id}?preview=${token}`;
    const answer = await caller.post(deleteUser, path, undefined, { id: String(id) }, "DELETE");
    expect(answer.status).toBe(409);
    expect(await db.blocked_user.count()).toBe(1);
  });

  it("leaves a waiting post that was rejected since", async () => {
    const [first, second] = [await makePost(ann), await makePost(ann)];
    const body = { account_identifier: account, reject_waiting: true };
    const { token } = await preview("block_user", body);
    await decide(postReject, second.id);
    expect((await caller.post(postUser, users, { ...body, preview: token })).status).toBe(201);
    const posts = await db.post.findMany({ orderBy: { id: "asc" }, select: { auto_reject_reason: true } });
    expect(posts).toEqual([{ auto_reject_reason: "blocked_user" }, { auto_reject_reason: null }]);
    expect((await actions())[0]).toMatchObject({ kind: "block", changed: 2 });
    expect(first.id).toBeLessThan(second.id);
  });

  it("is needed to reject waiting posts", async () => {
    const { id } = await makePost(ann);
    for (const extra of [{ reject_waiting: true }, { post_id: id }]) {
      const answer = await caller.post(postUser, users, { account_identifier: account, ...extra });
      expect(answer.status).toBe(409);
    }
    expect(await db.blocked_user.count()).toBe(0);
  });

  it("tells about posts with a consumer", async () => {
    await makePending(ann);
    await call(NEXT, { path: "/api/v1/curated/next", key: await makeKey() });
    expect(await preview("block_user", { account_identifier: account })).toMatchObject({
      changes: 1,
      counts: { held: 0, reserved: 1 },
      warnings: [{ code: "reserved", count: 1, detail: "1 post is with a consumer now and stays there" }],
    });
  });
});

const actions = async () => (await caller.get<ActionList>(getActions, "actions")).json.items;
const undo = (id: string) => caller.post<UndoResult>(postUndo, `actions/${id}/undo`, undefined, { id });

describe("the undo of a block", () => {
  it("says what it could not restore", async () => {
    const held = [await makePending(ann), await makePending(ann), await makePending(ann)];
    const waiting = [await makePost(ann), await makePost(ann), await makePost(ann)];
    const body = { account_identifier: account, reject_waiting: true };
    const { token } = await preview("block_user", body);
    await caller.post(postUser, users, { ...body, preview: token });
    await db.queue_entry.update({
      where: { post_id: held[0]!.id },
      data: { state: "delivered", delivered_at: new Date() },
    });
    await decide(postApprove, waiting[0]!.id);
    await decide(deletePost, waiting[1]!.id, "DELETE");
    await db.blocked_user.create({ data: { account_identifier: "nn@b", pattern_type: "contains" } });
    const action = (await actions()).find(({ kind }) => kind === "block");
    expect(action).toMatchObject({ changed: 7, undoable: true });
    const undone = await undo(action!.id);
    expect(undone.json).toMatchObject({ restored: 2 });
    expect(undone.json.limits.map(({ reason, count }) => [reason, count])).toEqual([
      ["handed_out", 1],
      ["decided_again", 1],
      ["changed_again", 2],
      ["deleted", 1],
    ]);
    expect(await db.post.findUnique({ where: { id: waiting[2]!.id } })).toMatchObject({ approved: null });
    expect(await holdsOf(db, held[1]!.id)).toBe(1);
  });

  it("restores nothing of a block that was removed before, and can be tried again", async () => {
    await makePending(ann);
    const body = { account_identifier: account };
    const { token } = await preview("block_user", body);
    const { json } = await caller.post<{ id: number }>(postUser, users, { ...body, preview: token });
    await caller.post(deleteUser, `${users}/${json.id}`, undefined, { id: String(json.id) }, "DELETE");
    const [removal, block] = await actions();
    expect((await undo(block!.id)).json).toMatchObject({ restored: 0 });
    expect((await undo(removal!.id)).json).toMatchObject({ restored: 2 });
    expect((await undo(block!.id)).json).toMatchObject({ restored: 2, limits: [] });
    expect(await db.blocked_user.count()).toBe(0);
  });
});
