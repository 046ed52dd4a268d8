import { describe, expect, it } from "vitest";
import { POST as undoAction } from "#app/api/v1/actions/[id]/undo/route.ts";
import { POST as dismiss } from "#app/api/v1/curated/errors/dismiss/route.ts";
import { POST as requeue } from "#app/api/v1/curated/errors/requeue/route.ts";
import { POST as undo } from "#app/api/v1/curated/errors/[id]/undo/route.ts";
import { GET as getNext } from "#app/api/v1/curated/next/route.ts";
import { POST as approve } from "#app/api/v1/posts/[id]/approve/route.ts";
import { POST as undoBatch } from "#app/api/v1/review/batch/[id]/undo/route.ts";
import { POST as runBatch } from "#app/api/v1/review/batch/route.ts";
import { POST as decide } from "#app/api/v1/review/decisions/route.ts";
import { db } from "#lib/db.ts";
import { pruneActions } from "#lib/actions/record-action.ts";
import type { UndoResult } from "#lib/actions/schema.ts";
import type { ErrorBatch, ErrorBatchUndone } from "#lib/queue/schema.ts";
import { makeKey, makePending, makeStream, unique } from "#tests/setup/factories.ts";
import { sumsOf } from "#tests/setup/figures.ts";
import { call, type RouteHandler } from "#tests/setup/request.ts";

/* Undo restores the errors of a requeued or rejected group, except posts changed since, and all figures. */

const key = await makeKey();
const REPORTED = new Date("2026-02-01T03:04:05.678Z");
const APPROVED = new Date("2026-01-31T00:00:00.000Z");

async function failed(count: number, data: { stream_id?: number } = {}) {
  const reason = `reason ${unique()}`;
  const ids: number[] = [];
  for (let n = 0; n < count; n++) {
    const { id } = await makePending(data, APPROVED);
    const lease = { lease_id: "6dd0a8a1-6f1c-4c3a-9b6a-0f6b9f0f5a11", lease_expires_at: new Date() };
    await db.queue_entry.update({
      where: { post_id: id },
      data: { state: "reserved", deliveries: 2, nacks: 1, lease_label: "Boost bot", ...lease },
    });
    await db.queue_entry.update({
      where: { post_id: id },
      data: {
        state: "error",
        lease_id: null,
        lease_expires_at: null,
        error_reason: reason,
        error_details: { status: 404 },
        errored_at: REPORTED,
      },
    });
    ids.push(id);
  }
  return { reason, ids };
}
const act = async (handler: RouteHandler, kind: string, reason: string, using = key) =>
  (
    await call<ErrorBatch>(handler, {
      method: "POST",
      path: `/api/v1/curated/errors/${kind}`,
      key: using,
      body: { reason },
    })
  ).json;
const takeBack = (id: string | null, using = key) =>
  call<ErrorBatchUndone & { detail: string }>(undo, {
    method: "POST",
    path: `/api/v1/curated/errors/${id}/undo`,
    params: { id: String(id) },
    key: using,
  });
/** By the history of actions. */
const takeBackAction = async (id: string | null) =>
  (await call<UndoResult>(undoAction, { method: "POST", path: "/api/v1/x", params: { id: String(id) }, key }))
    .json;
const entries = (ids: number[]) =>
  db.queue_entry.findMany({ where: { post_id: { in: ids } }, orderBy: { post_id: "asc" } });
const figures = () => Promise.all([sumsOf("level"), sumsOf("stream")]);
const reports = (reason: string) => db.figure_delta.count({ where: { event: "errors", reason } });
const lines = async (id: number) =>
  (await db.post_event.findMany({ where: { post_id: id }, orderBy: { id: "asc" } })).map(
    ({ action, from_state, to_state }) => [action, from_state, to_state],
  );

describe.each([
  ["requeue", requeue],
  ["dismiss", dismiss],
] as const)("changes by %s", (kind, handler) => {
  it("is undone once by parallel calls", async () => {
    const { reason, ids } = await failed(2);
    const { batch_id } = await act(handler, kind, reason);
    const answers = await Promise.all([takeBack(batch_id), takeBack(batch_id)]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
    expect((await entries(ids)).map((each) => each.state)).toEqual(["error", "error"]);
    expect((await takeBack(batch_id)).json.detail).toBe("This batch was undone already");
  });

  it("is unknown without rights and after a day", async () => {
    const { reason } = await failed(1);
    const { batch_id } = await act(handler, kind, reason);
    expect((await takeBack(batch_id, await makeKey({ role: "reviewer" }))).status).toBe(403);
    await db.change.update({
      where: { id: batch_id ?? "" },
      data: { at: new Date(Date.now() - 25 * 3_600_000) },
    });
    expect((await takeBack(batch_id)).status).toBe(404);
    expect(await takeBackAction(batch_id)).toMatchObject({ restored: 0, limits: [{ reason: "expired" }] });
  });

  it("keeps no error of a post that was deleted at its own server, and leaves it", async () => {
    const { reason, ids } = await failed(1);
    const { batch_id } = await act(handler, kind, reason);
    await db.$queryRaw`SELECT erase_posts(${ids}::int[])::text`;
    expect(JSON.stringify(await db.change_item.findMany({ where: { post_id: ids[0] ?? 0 } }))).not.toContain(
      reason,
    );
    expect(await takeBackAction(batch_id)).toMatchObject({ restored: 0, limits: [{ reason: "erased" }] });
    expect((await entries(ids)).map(({ state }) => state)).not.toContain("error");
  });
});

it("leaves a post reserved since with its consumer, without error afterwards", async () => {
  const stream = await makeStream();
  const consumer = await makeKey({ stream_ids: [stream.id] });
  const { reason, ids } = await failed(2, { stream_id: stream.id });
  const { batch_id } = await act(requeue, "requeue", reason);
  const next = await call<{ fenliu_post_id: number }>(getNext, {
    path: "/api/v1/curated/next",
    key: consumer,
  });
  const handed = next.json.fenliu_post_id;
  expect(ids).toContain(handed);
  expect((await takeBack(batch_id)).json).toEqual({ changed: 1, unchanged: 1 });
  const states = new Map((await entries(ids)).map((each) => [each.post_id, each.state]));
  expect(states.get(handed)).toBe("reserved");
  expect([...states.values()].sort()).toEqual(["error", "reserved"]);
});

it("does not undo a post that was reserved and returned", async () => {
  const { reason, ids } = await failed(1);
  const { batch_id } = await act(requeue, "requeue", reason);
  await db.queue_entry.update({ where: { post_id: ids[0] ?? 0 }, data: { deliveries: 3, nacks: 2 } });
  expect((await takeBack(batch_id)).json).toEqual({ changed: 0, unchanged: 1 });
  expect((await entries(ids))[0]).toMatchObject({ state: "pending", deliveries: 3 });
});

it("keeps the place of a post decided again since", async () => {
  const { reason, ids } = await failed(1);
  const { batch_id } = await act(requeue, "requeue", reason);
  const body = { post_ids: ids, decision: "reject" };
  await call(runBatch, { method: "POST", path: "/api/v1/review/batch", key, body });
  await call(approve, { method: "POST", path: "/x", params: { id: String(ids[0]) }, key });
  await db.queue_entry.update({ where: { post_id: ids[0] ?? 0 }, data: { deliveries: 2, nacks: 2 } });
  expect((await takeBack(batch_id)).json).toEqual({ changed: 0, unchanged: 1 });
  expect((await entries(ids))[0]).toMatchObject({ state: "pending", deliveries: 2 });
});

it("keeps each post in one place when undo and reserve run in parallel", async () => {
  const stream = await makeStream();
  const consumer = await makeKey({ stream_ids: [stream.id] });
  const { reason, ids } = await failed(6, { stream_id: stream.id });
  const { batch_id } = await act(requeue, "requeue", reason);
  const next = () =>
    call<{ fenliu_post_id: number } | null>(getNext, { path: "/api/v1/curated/next", key: consumer });
  const [first, undone, ...others] = await Promise.all([next(), takeBack(batch_id), next(), next()]);
  const handed = [first, ...others].flatMap((answer) => answer.json?.fenliu_post_id ?? []);
  const left = await entries(ids);
  expect(left.filter((each) => each.state === "reserved").map((each) => each.post_id)).toEqual(
    [...handed].sort((a, b) => a - b),
  );
  expect(left.filter((each) => each.state === "error")).toHaveLength(undone.json.changed);
  expect(undone.json.changed + handed.length).toBe(6);
});

it("keeps a later decision on a rejected post", async () => {
  const { reason, ids } = await failed(3);
  const { batch_id } = await act(dismiss, "dismiss", reason);
  const [approved = 0, rejected = 0] = ids;
  for (const id of [approved, rejected])
    await call(approve, { method: "POST", path: "/x", params: { id: String(id) }, key });
  const body = { post_ids: [rejected], decision: "reject" };
  await call(runBatch, { method: "POST", path: "/api/v1/review/batch", key, body });
  expect((await takeBack(batch_id)).json).toEqual({ changed: 1, unchanged: 2 });
  expect((await entries(ids)).map((each) => each.state)).toEqual(["pending", "error"]);
});

it("has nothing to undo for an empty group and answers 404 for an unknown batch", async () => {
  expect(await act(requeue, "requeue", "nobody's reason")).toEqual({ changed: 0, batch_id: null });
  for (const id of ["1", "0f4c4b52-6d0e-4b8e-9a3b-0f7f6a9d2c11"]) {
    const answer = await takeBack(id);
    expect([answer.status, answer.json.detail]).toEqual([404, "Batch not found"]);
  }
});

const byReviewers = {
  "a batch": async (ids: number[]) => {
    const body = { post_ids: ids, decision: "reject" };
    const path = "/api/v1/review/batch";
    const { json } = await call<{ batch_id: string }>(runBatch, { method: "POST", path, key, body });
    return async () => {
      const params = { id: json.batch_id };
      const undone = await call<{ changed: number }>(undoBatch, { method: "POST", path, params, key });
      return undone.json.changed;
    };
  },
  "decisions at the desk": async (ids: number[]) => {
    const send = async (decision: string) => {
      const decisions = ids.map((post_id) => ({ id: crypto.randomUUID(), post_id, decision }));
      const { json } = await call<{ results: { result: string }[] }>(decide, {
        method: "POST",
        path: "/api/v1/review/decisions",
        key,
        body: { decisions },
      });
      return json.results.filter(({ result }) => result === "applied").length;
    };
    await send("reject");
    return () => send("undo");
  },
};

describe.each(Object.entries(byReviewers))("a failed post that %s rejected", (_kind, reject) => {
  it("returns to error on undo within seven days", async () => {
    const { reason, ids } = await failed(2);
    const before = {
      entries: await entries(ids),
      figures: await figures(),
      reports: await reports(reason),
    };
    const undoIt = await reject(ids);
    expect(await entries(ids)).toEqual([]);
    await db.$executeRaw`UPDATE change SET at = now() - interval '6 days'`;
    await pruneActions();
    expect(await undoIt()).toBe(2);
    expect({
      entries: await entries(ids),
      figures: await figures(),
      reports: await reports(reason),
    }).toEqual(before);
    expect((await lines(ids[0] ?? 0)).slice(-3)).toEqual([
      ["reject", "error", "rejected"],
      ["approve", "rejected", "pending"],
      ["error_back", "pending", "error"],
    ]);
    expect(await undoIt()).toBeOneOf([0, undefined]);
  });

  it("returns to pending when it had been requeued before", async () => {
    const { reason, ids } = await failed(1);
    await act(requeue, "requeue", reason);
    const undoIt = await reject(ids);
    await undoIt();
    expect((await entries(ids)).map((each) => each.state)).toEqual(["pending"]);
  });

  it("is not part of a group undo", async () => {
    const { ids } = await failed(1);
    await reject(ids);
    const kept = await db.change_item.findFirst({ where: { post_id: { in: ids } } });
    expect((await takeBack(kept?.change_id ?? "")).status).toBe(404);
  });
});
