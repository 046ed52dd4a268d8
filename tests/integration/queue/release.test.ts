import { beforeEach, describe, expect, it } from "vitest";
import { GET as getActions } from "#app/api/v1/actions/route.ts";
import { POST as postUndo } from "#app/api/v1/actions/[id]/undo/route.ts";
import type { ActionList, UndoResult } from "#lib/actions/schema.ts";
import { db } from "#lib/db.ts";
import { makeCaller, type Caller } from "#tests/integration/history/action-rows/action-row.ts";
import { makeKey, makePending } from "#tests/setup/factories.ts";
import { ageReservation, emptyQueue, entry, handlers, next, settle } from "./moves.ts";

beforeEach(emptyQueue);

/** A post that `key` reserved and the operator released. */
async function released(caller: Caller, key: string) {
  const { id } = await makePending();
  const reserved = await next(key);
  const before = await entry(id);
  const params = { post_id: String(id) };
  expect((await caller.post(handlers.release, `curated/${id}/release`, undefined, params)).status).toBe(204);
  expect(await entry(id)).toMatchObject({ state: "pending", lease_id: null, last_lease_id: before.lease_id });
  return { id, before, etag: reserved.headers.get("etag") as string };
}

async function undo(caller: Caller) {
  const [action] = (await caller.get<ActionList>(getActions, "actions")).json.items;
  const { json } = await caller.post<UndoResult>(postUndo, `actions/${action!.id}/undo`, undefined, {
    id: action!.id,
  });
  return { action: action!, json };
}

describe("the undo of a release", () => {
  it("gives the reservation back to its holder, who can ack without naming it", async () => {
    const [caller, key] = [await makeCaller(), await makeKey()];
    const { id, before } = await released(caller, key);
    const { action, json } = await undo(caller);
    expect(action).toMatchObject({ kind: "release", changed: 1, restorable: 1, limits: [] });
    expect(json).toMatchObject({ restored: 1, limits: [] });
    expect(await entry(id)).toEqual(before);
    const events = await db.post_event.findMany({ where: { post_id: id }, orderBy: { id: "desc" }, take: 2 });
    expect(events).toMatchObject([
      { action: "reserve_back", from_state: "pending", to_state: "reserved", member_id: caller.member.id },
      { action: "release", from_state: "reserved", to_state: "pending", member_id: caller.member.id },
    ]);
    expect((await next(await makeKey())).status).toBe(204);
    expect((await settle("ack", key, id)).status).toBe(204);
    expect(await entry(id)).toMatchObject({ state: "delivered", deliveries: 1 });
  });

  it("keeps the end of the reservation, also when it is over", async () => {
    const [caller, key] = [await makeCaller(), await makeKey()];
    const { id } = await makePending();
    await next(key);
    await ageReservation(id, 1000);
    await caller.post(handlers.release, `curated/${id}/release`, undefined, { post_id: String(id) });
    expect((await undo(caller)).json).toMatchObject({ restored: 1 });
    const other = await next(await makeKey());
    expect(other.json.fenliu_post_id).toBe(id);
  });

  it("changes nothing when another consumer has the post", async () => {
    const [caller, key, other] = [await makeCaller(), await makeKey(), await makeKey()];
    const { id } = await released(caller, key);
    await next(other);
    const reserved = await entry(id);
    const { action, json } = await undo(caller);
    const limits = [{ reason: "handed_out", count: 1 }];
    expect(action).toMatchObject({ restorable: 0, limits });
    expect(json).toMatchObject({ restored: 0, limits });
    expect(await entry(id)).toEqual(reserved);
  });

  it("changes nothing when the holder acked it after the release", async () => {
    const [caller, key] = [await makeCaller(), await makeKey()];
    const { id, etag } = await released(caller, key);
    expect((await settle("ack", key, id, undefined, { "if-match": etag })).status).toBe(204);
    expect((await undo(caller)).json).toMatchObject({ restored: 0, limits: [{ reason: "handed_out" }] });
    expect(await entry(id)).toMatchObject({ state: "delivered" });
  });

  it("changes nothing when the approval was taken back", async () => {
    const [caller, key] = [await makeCaller(), await makeKey()];
    const { id } = await released(caller, key);
    await db.queue_entry.delete({ where: { post_id: id } });
    expect((await undo(caller)).json).toMatchObject({ restored: 0, limits: [{ reason: "changed_again" }] });
  });
});

it("is not recorded for a post that is not reserved", async () => {
  const caller = await makeCaller();
  const { id } = await makePending();
  const answer = await caller.post(handlers.release, `curated/${id}/release`, undefined, {
    post_id: String(id),
  });
  expect(answer).toMatchObject({ status: 409, json: { code: "wrong_state" } });
  expect((await caller.get<ActionList>(getActions, "actions")).json.items).toEqual([]);
});
