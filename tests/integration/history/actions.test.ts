import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { GET as getActions } from "#app/api/v1/actions/route.ts";
import { POST as postUndo } from "#app/api/v1/actions/[id]/undo/route.ts";
import { POST as postApprove } from "#app/api/v1/posts/[id]/approve/route.ts";
import { PATCH as patchPost } from "#app/api/v1/posts/[id]/route.ts";
import { POST as postBatch } from "#app/api/v1/review/batch/route.ts";
import { POST as postUndoBatch } from "#app/api/v1/review/batch/[id]/undo/route.ts";
import { POST as postDecisions } from "#app/api/v1/review/decisions/route.ts";
import { pruneActions } from "#lib/actions/record-action.ts";
import type { ActionList, UndoResult } from "#lib/actions/schema.ts";
import { db } from "#lib/db.ts";
import type { BatchResult } from "#lib/review/batch-schema.ts";
import { makeKey, makePost, makeStream } from "#tests/setup/factories.ts";
import { call, sessionHeaders } from "#tests/setup/request.ts";
import { makeCaller, type Caller } from "./action-rows/action-row.ts";
import { postStates } from "./action-rows/review-rows.ts";

type Refusal = { detail: string };
const caller = await makeCaller();

const list = async (by: Caller, query = "") => (await by.get<ActionList>(getActions, `actions${query}`)).json;
const undo = (by: Caller, id: string) =>
  by.post<UndoResult & Refusal>(postUndo, `actions/${id}/undo`, undefined, { id });
const batch = (by: Caller, body: object) => by.post<BatchResult & Refusal>(postBatch, "review/batch", body);
const unreviewed = async (count: number) => {
  const posts = await Promise.all(Array.from({ length: count }, () => makePost()));
  return posts.map(({ id }) => id);
};
const stateOf = async (id: number) => (await db.post.findUniqueOrThrow({ where: { id } })).approved;

async function handOut(id: number) {
  const lease = { lease_id: randomUUID(), lease_expires_at: new Date(Date.now() + 3e5) };
  await db.queue_entry.update({ where: { post_id: id }, data: { state: "reserved", ...lease } });
}

describe("an undo", () => {
  it("restores posts that still exist, and says why the rest stays, before and afterwards", async () => {
    const by = await makeCaller();
    const ids = await unreviewed(5);
    const { json } = await batch(by, { post_ids: ids, decision: "approve" });
    await handOut(ids[0]!);
    await by.post(patchPost, `posts/${ids[1]}`, { approved: false }, { id: String(ids[1]) }, "PATCH");
    await db.post.delete({ where: { id: ids[2]! } });
    const limits = [
      { reason: "handed_out", count: 1, detail: "1 of 5 was already handed out" },
      { reason: "decided_again", count: 1, detail: "1 of 5 was decided again since" },
      { reason: "deleted", count: 1, detail: "1 of 5 was deleted since" },
    ];
    const before = (await list(by)).items.find(({ id }) => id === json.batch_id);
    expect(before).toMatchObject({ undoable: true, restorable: 2, limits });
    expect((await undo(by, json.batch_id)).json).toEqual({ id: json.batch_id, restored: 2, limits });
    expect((await undo(by, json.batch_id)).json).toEqual({ id: json.batch_id, restored: 2, limits });
    const after = (await list(by)).items.find(({ id }) => id === json.batch_id);
    expect(after).toMatchObject({ undoable: false, restorable: 0, limits });
    expect(await Promise.all([0, 1, 3, 4].map((n) => stateOf(ids[n]!)))).toEqual([true, false, null, null]);
  });

  it("that can restore nothing changes nothing, and works when the post has come back", async () => {
    const [id] = await unreviewed(1);
    const { json } = await batch(caller, { post_ids: [id], decision: "approve" });
    await handOut(id!);
    expect((await undo(caller, json.batch_id)).json).toMatchObject({ restored: 0 });
    await db.queue_entry.update({
      where: { post_id: id! },
      data: { state: "pending", lease_id: null, lease_expires_at: null },
    });
    expect((await undo(caller, json.batch_id)).json).toMatchObject({ restored: 1, limits: [] });
    expect(await stateOf(id!)).toBeNull();
  });

  it("of all actions in reverse order restores the first state", async () => {
    const by = await makeCaller();
    const ids = await unreviewed(3);
    const first = await postStates(ids);
    const one = { id: String(ids[0]) };
    await by.post(postApprove, `posts/${ids[0]}/approve`, { reviewer_notes: "first" }, one);
    await batch(by, { post_ids: ids, decision: "reject", note: "second" });
    await by.post(patchPost, `posts/${ids[0]}`, { approved: true }, one, "PATCH");
    const decision = { id: randomUUID(), post_id: ids[0], decision: "reject", note: "fourth" };
    await by.post(postDecisions, "review/decisions", { decisions: [decision] });
    await by.post(patchPost, `posts/${ids[0]}`, { approved: null }, one, "PATCH");
    await batch(by, { post_ids: ids, decision: "approve" });
    const { items } = await list(by);
    expect(items.map(({ kind }) => kind)).toEqual([
      "batch",
      "decision",
      "decision",
      "decision",
      "batch",
      "decision",
    ]);
    for (const { id } of items) expect((await undo(by, id)).json.limits).toEqual([]);
    expect(await postStates(ids)).toEqual(first);
  });

  it("of a decision before that of a later note restores the note of the start", async () => {
    const by = await makeCaller();
    const ids = await unreviewed(2);
    const first = await postStates(ids);
    const one = { id: String(ids[0]) };
    const edit = (change: object) => by.post(patchPost, `posts/${ids[0]}`, change, one, "PATCH");
    await by.post(postApprove, `posts/${ids[0]}/approve`, { reviewer_notes: "first" }, one);
    await batch(by, { post_ids: ids, decision: "reject", note: "second" });
    await edit({ reviewer_notes: "third", manual_spam_score: 20 });
    await edit({ reviewer_notes: "fourth" });
    await edit({ manual_spam_score: 30 });
    const [score, fourth, third, rejected, approved] = (await list(by)).items.map(({ id }) => id);
    for (const id of [rejected, approved, third, fourth, score]) await undo(by, id!);
    expect((await db.post.findUniqueOrThrow({ where: { id: ids[0]! } })).reviewer_notes).toBe("third");
    await undo(by, third!);
    expect(await postStates(ids)).toEqual(first);
  });

  it("by parallel requests happens once", async () => {
    const ids = await unreviewed(2);
    const { json } = await batch(caller, { post_ids: ids, decision: "approve" });
    const answers = await Promise.all([1, 2, 3].map(() => undo(caller, json.batch_id)));
    const expected = { status: 200, json: { id: json.batch_id, restored: 2, limits: [] } };
    for (const answer of answers) expect(answer).toMatchObject(expected);
    const lines = await db.post_event.count({ where: { post_id: ids[0]!, action: "unreview" } });
    expect(lines).toBe(1);
  });

  it("by the endpoint of batches or the desk counts for the history", async () => {
    const [a, b] = await unreviewed(2);
    const { json } = await batch(caller, { post_ids: [a], decision: "approve" });
    const path = `review/batch/${json.batch_id}/undo`;
    expect((await caller.post(postUndoBatch, path, undefined, { id: json.batch_id })).status).toBe(200);
    expect(await undo(caller, json.batch_id)).toMatchObject({
      status: 409,
      json: { detail: "This action was undone already" },
    });
    const id = randomUUID();
    const decisions = [
      { id, post_id: b, decision: "reject" },
      { id: randomUUID(), post_id: b, decision: "undo" },
    ];
    await caller.post(postDecisions, "review/decisions", { decisions });
    const action = (await list(caller)).items.find((each) => each.id === id);
    expect(action).toMatchObject({ undoable: false });
    expect(action?.undone_at).not.toBeNull();
    // A decision that changed nothing else is stored, but is no action.
    expect((await undo(caller, decisions[1]!.id)).status).toBe(404);
  });

  it("needs the rights of the action, and an API key sees its own actions only", async () => {
    const [id] = await unreviewed(1);
    const reviewer = await makeKey({ role: "reviewer" });
    const reader = await makeKey({ scopes: ["read"] });
    const as = (key: string, handler: typeof postUndo, path: string, params = {}, body?: unknown) =>
      call<Refusal & BatchResult>(handler, { method: "POST", path: `/api/v1/${path}`, key, params, body });
    const body = { post_ids: [id], decision: "approve" };
    const { json } = await as(reviewer, postBatch, "review/batch", {}, body);
    const params = { id: json.batch_id };
    expect((await as(reader, postUndo, `actions/${params.id}/undo`, params)).status).toBe(404);
    await db.api_key.updateMany({ where: {}, data: { scopes: ["read"] } });
    expect(await as(reviewer, postUndo, `actions/${params.id}/undo`, params)).toMatchObject({
      status: 403,
      json: { detail: "API key lacks the scope 'review'" },
    });
  });
});

describe("a preview", () => {
  const counted = async (body: object, by = caller) => (await by.preview({ action: "batch", body })).json;

  it("says what changes and what stays", async () => {
    const [a, b] = await unreviewed(2);
    const rejected = await makePost({ approved: false, reviewed_at: new Date() });
    const preview = await counted({ post_ids: [a, b, rejected.id, 999999999], decision: "approve" });
    expect(preview).toMatchObject({
      changes: 3,
      counts: { unreviewed: 2, rejected: 1 },
      warnings: [
        { code: "rejected", count: 1, detail: "1 was rejected" },
        { code: "missing", count: 1, detail: "1 is no longer here" },
      ],
    });
    expect(await stateOf(a!)).toBeNull();
  });

  it("is refused for other posts, another decision, another member and after its time", async () => {
    const ids = await unreviewed(2);
    const body = { post_ids: ids, decision: "approve" };
    const { token: preview } = await counted(body);
    const other = await makeCaller();
    for (const [by, changed] of [
      [caller, { ...body, post_ids: [ids[0]] }],
      [caller, { ...body, decision: "reject" }],
      [other, body],
    ] as const) {
      expect(await batch(by, { ...changed, preview })).toMatchObject({
        status: 409,
        json: { detail: "This preview is not valid any more: ask for a new one" },
      });
    }
    await db.action_preview.updateMany({ data: { expires_at: new Date(Date.now() - 1000) } });
    expect((await batch(caller, { ...body, preview })).status).toBe(409);
    expect(await stateOf(ids[0]!)).toBeNull();
  });

  it("leaves a post alone whose state changed since it was counted", async () => {
    const [a, b] = await unreviewed(2);
    const body = { post_ids: [a, b], decision: "approve" };
    const { token: preview } = await counted(body);
    const other = await makeCaller();
    await other.post(patchPost, `posts/${a}`, { approved: false }, { id: String(a) }, "PATCH");
    const { json } = await batch(caller, { ...body, preview });
    expect(json).toMatchObject({
      changed: 1,
      unchanged: [{ post_id: a, detail: "Changed since it was counted" }],
    });
    expect(await stateOf(a!)).toBe(false);
  });

  it("of a filter with text keeps no text", async () => {
    const stream = await makeStream();
    const mark = `zebra${randomUUID().replaceAll("-", "")}`;
    await makePost({ stream_id: stream.id, plain_text: mark });
    await counted({ filter: { q: mark, stream_id: stream.id }, decision: "approve" });
    const rows = await db.$queryRaw<
      { text: string }[]
    >`SELECT to_jsonb(p)::text AS text FROM action_preview p`;
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ text }) => text.includes(mark))).toEqual([]);
  });
});

describe("the history", () => {
  it("is paged, tells sessions apart, and leaves out undone actions on request", async () => {
    const by = await makeCaller();
    const ids = await unreviewed(3);
    for (const id of ids) await by.post(postApprove, `posts/${id}/approve`, {}, { id: String(id) });
    const first = await list(by, "?limit=2");
    expect(first.items.map(({ post }) => post?.id)).toEqual([ids[2], ids[1]]);
    const rest = await list(by, `?limit=2&cursor=${first.next_cursor}`);
    expect(rest).toMatchObject({ items: [{ post: { id: ids[0] } }], next_cursor: null });
    await undo(by, first.items[0]!.id);
    expect((await list(by, "?undone=false")).items).toHaveLength(2);
    const headers = await sessionHeaders(by.member);
    const elsewhere = (query: string) =>
      call<ActionList>(getActions, { path: `/api/v1/actions${query}`, headers });
    expect((await elsewhere("")).json.items.map((each) => each.this_session)).toEqual([false, false, false]);
    expect((await elsewhere("?this_session=true")).json.items).toEqual([]);
  });

  it("does nothing for a repeated request with the same id", async () => {
    const [id] = await unreviewed(1);
    const headers = { ...(await sessionHeaders(caller.member)), "x-action-id": randomUUID() };
    const send = (approved: boolean | null) =>
      call<Refusal>(patchPost, {
        method: "PATCH",
        path: `/api/v1/posts/${id}`,
        params: { id: String(id) },
        headers,
        body: { approved },
      });
    expect((await send(true)).status).toBe(200);
    await undo(caller, headers["x-action-id"]);
    expect(await stateOf(id!)).toBeNull();
    expect(await send(true)).toMatchObject({ status: 409, json: { detail: "This was done already" } });
    expect(await stateOf(id!)).toBeNull();
  });

  it("is kept for seven days", async () => {
    const by = await makeCaller();
    const [id] = await unreviewed(1);
    await batch(by, { post_ids: [id], decision: "approve" });
    await pruneActions();
    expect((await list(by)).items).toHaveLength(1);
    const items = () => db.change_item.count({ where: { post_id: id! } });
    expect(await items()).toBe(1);
    await db.$executeRaw`UPDATE change SET at = at - interval '8 days' WHERE member_id = ${by.member.id}`;
    await db.$executeRaw`UPDATE action_preview SET expires_at = now() - interval '7 days'`;
    await pruneActions();
    expect((await list(by)).items).toEqual([]);
    expect(await items()).toBe(0);
    expect(await db.action_preview.count()).toBe(0);
  });
});
