import { describe, expect, it } from "vitest";
import { GET as getActions } from "#app/api/v1/actions/route.ts";
import { POST as postUndo } from "#app/api/v1/actions/[id]/undo/route.ts";
import { DELETE as deletePost } from "#app/api/v1/posts/[id]/route.ts";
import { PUT as putRetention } from "#app/api/v1/retention/route.ts";
import { DELETE as deleteStream } from "#app/api/v1/streams/[id]/route.ts";
import type { ActionList, UndoResult } from "#lib/actions/schema.ts";
import { db } from "#lib/db.ts";
import { makePost, makeStream } from "#tests/setup/factories.ts";
import { makeCaller, type Caller, type Scene } from "./action-rows/action-row.ts";
import { blockRows } from "./action-rows/block-rows.ts";
import { checkRows } from "./action-rows/check-rows.ts";
import { deletionRows } from "./action-rows/deletion-rows.ts";
import { queueRows } from "./action-rows/queue-rows.ts";
import { postIn } from "#tests/integration/posts/post-calls.ts";
import { reviewRows } from "./action-rows/review-rows.ts";

/*
 * Every action that changes several posts, or that a person may regret. A new one is a row in tests/integration/action-rows.
 */
const rows = [...reviewRows, ...queueRows, ...blockRows, ...checkRows];

const actionsOf = async (caller: Caller) => (await caller.get<ActionList>(getActions, "actions")).json.items;
const undo = (caller: Caller, id: string) =>
  caller.post<UndoResult>(postUndo, `actions/${id}/undo`, undefined, { id });

async function count(caller: Caller, { preview }: Pick<Scene, "preview">) {
  if (preview === undefined) return undefined;
  const answer = await caller.preview(preview);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

describe.each(rows.map((row) => [row.name, row] as const))("%s", (_name, row) => {
  it("changes exactly the counted items, once, and its undo restores everything", async () => {
    const caller = await makeCaller();
    const scene = await row.prepare(caller);
    const counted = await count(caller, scene);
    if (counted !== undefined) expect(counted.changes).toBe(scene.changes);
    await scene.appear?.();
    const before = await scene.state();

    const both = await Promise.all([scene.act(counted?.token), scene.act(counted?.token)]);
    const statuses = both.map(({ status }) => status).sort();
    expect(statuses[0], both.map(({ text }) => text).join()).toBeLessThan(300);
    expect(statuses[1]).toBe(scene.again ?? 409);
    expect((await scene.act(counted?.token)).status).toBe(scene.again ?? 409);

    const actions = await actionsOf(caller);
    expect(actions).toMatchObject([
      { changed: scene.changes, undoable: true, restorable: scene.changes, limits: [], this_session: true },
    ]);
    const { id } = actions[0]!;
    const undone = await undo(caller, id);
    expect(undone, undone.text).toMatchObject({
      status: 200,
      json: { id, restored: scene.changes, limits: [] },
    });
    expect(await scene.state()).toEqual(before);

    expect((await undo(caller, id)).json).toEqual(undone.json);
    expect(await scene.state()).toEqual(before);
    expect(await actionsOf(caller)).toMatchObject([{ id, undoable: false, restorable: 0 }]);
  });

  it("cannot be undone by another member, and a token is only for its owner", async () => {
    const [caller, other] = [await makeCaller(), await makeCaller()];
    const scene = await row.prepare(caller);
    const counted = await count(caller, scene);
    await scene.act(counted?.token);
    const [action] = await actionsOf(caller);
    const after = await scene.state();
    expect((await undo(other, action!.id)).status).toBe(404);
    expect(await actionsOf(other)).toEqual([]);
    expect(await scene.state()).toEqual(after);
  });
});

describe.each(deletionRows.map((row) => [row.name, row] as const))("%s", (_name, row) => {
  it("says that there is no undo, deletes the counted posts, once, and stays", async () => {
    const caller = await makeCaller();
    const scene = await row.prepare(caller);
    const counted = await count(caller, scene);
    expect(counted).toMatchObject({
      changes: scene.changes,
      warnings: [{ code: "no_undo", detail: "This cannot be undone" }],
    });
    await scene.appear?.();

    const both = await Promise.all([scene.act(counted?.token), scene.act(counted?.token)]);
    const statuses = both.map(({ status }) => status).sort();
    expect(statuses, both.map(({ text }) => text).join()).toEqual([expect.toSatisfy((s) => s < 300), 409]);
    expect(await scene.state()).toEqual(scene.after);
    expect((await scene.act(counted?.token)).json).toMatchObject({ code: "action_done" });

    const [action, ...others] = await actionsOf(caller);
    expect(others).toEqual([]);
    const final = [{ reason: "final", count: action!.changed }];
    expect(action).toMatchObject({ id: counted?.token, kind: "deletion", undoable: false, limits: final });
    expect((await undo(caller, action!.id)).json).toMatchObject({ restored: 0, limits: final });
    expect(await scene.state()).toEqual(scene.after);
  });

  it("refuses a token of another member or for something else, and deletes nothing", async () => {
    const [caller, other] = [await makeCaller(), await makeCaller()];
    const scene = await row.prepare(caller);
    const before = await scene.state();
    const { action } = scene.preview;
    const foreign = await other.preview(scene.preview);
    const unlike = await caller.preview({ action, body: scene.other });
    for (const { json } of [foreign, unlike])
      expect((await scene.act(json.token)).json).toMatchObject({ code: "preview_not_valid" });
    expect(await scene.state()).toEqual(before);
  });
});

describe("a deletion that was counted", () => {
  it("of a post is refused when the post was reserved since", async () => {
    const caller = await makeCaller();
    const { id } = await postIn("pending");
    const counted = await caller.preview({ action: "delete_post", body: { id } });
    await db.queue_entry.update({
      where: { post_id: id },
      data: { state: "delivered", delivered_at: new Date() },
    });
    const path = `posts/${id}?preview=${counted.json.token}`;
    const answer = await caller.post(deletePost, path, undefined, { id: String(id) }, "DELETE");
    expect(answer).toMatchObject({ status: 409, json: { code: "preview_not_valid" } });
    expect(await db.post.count({ where: { id } })).toBe(1);
  });

  it("of a stream is refused when it has more posts since", async () => {
    const caller = await makeCaller();
    const { id } = await makeStream();
    const counted = await caller.preview({ action: "delete_stream", body: { id } });
    await makePost({ stream_id: id });
    const path = `streams/${id}?preview=${counted.json.token}`;
    const answer = await caller.post(deleteStream, path, undefined, { id: String(id) }, "DELETE");
    expect(answer).toMatchObject({ status: 409, json: { code: "reach_grown" } });
    expect(await db.stream.count({ where: { id } })).toBe(1);
  });

  it("by days is refused when more posts are that old since", async () => {
    const caller = await makeCaller();
    const body = { rejected_days: 50 };
    const counted = await caller.preview({ action: "retention", body });
    await makePost({ approved: false, reviewed_at: new Date(Date.now() - 60 * 86_400_000) });
    const put = { ...body, preview: counted.json.token };
    const answer = await caller.post(putRetention, "retention", put, {}, "PUT");
    expect(answer).toMatchObject({ status: 409, json: { code: "reach_grown" } });
    expect((await db.retention_setting.findFirstOrThrow()).rejected_days).not.toBe(50);
  });

  it("by trim keeps posts that left the queue since", async () => {
    const caller = await makeCaller();
    const scene = await deletionRows.find(({ name }) => name.startsWith("the trim"))!.prepare(caller);
    const counted = await count(caller, scene);
    const before = await scene.state();
    const data = { state: "delivered", delivered_at: new Date() } as const;
    await db.queue_entry.updateMany({ where: { state: "pending" }, data });
    expect((await scene.act(counted?.token)).json).toEqual({ deleted: 0 });
    expect(await scene.state()).toEqual(before);
  });
});
