import { describe, expect, it } from "vitest";
import { GET as getActions } from "#app/api/v1/actions/route.ts";
import { POST as postUndo } from "#app/api/v1/actions/[id]/undo/route.ts";
import type { ActionList, UndoResult } from "#lib/actions/schema.ts";
import { makeCaller, type Caller, type Scene } from "./action-rows/action-row.ts";
import { blockRows } from "./action-rows/block-rows.ts";
import { queueRows } from "./action-rows/queue-rows.ts";
import { reviewRows } from "./action-rows/review-rows.ts";

/*
 * Every action that changes several posts, or that a person may regret. A new one is a row in tests/integration/action-rows.
 */
const rows = [...reviewRows, ...queueRows, ...blockRows];

const actionsOf = async (caller: Caller) => (await caller.get<ActionList>(getActions, "actions")).json.items;
const undo = (caller: Caller, id: string) =>
  caller.post<UndoResult>(postUndo, `actions/${id}/undo`, undefined, { id });

async function count(caller: Caller, { preview }: Scene) {
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
