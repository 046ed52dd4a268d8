import { expect, it } from "vitest";
import { db } from "#lib/base/db.ts";
import { moveErrorRows } from "#lib/queue/sql.ts";
import { LOCK_TIMEOUT, waitForBlockedStatement } from "#tests/setup/database.ts";
import { makeKey, makePending } from "#tests/setup/factories.ts";
import { sender } from "#tests/setup/operations.ts";

const send = sender({ key: await makeKey() });
const dismiss = (body: unknown) => send<{ changed: number }>("POST curated/errors/dismiss", body);
const requeue = (body: unknown) => send<{ changed: number }>("POST curated/errors/requeue", body);

async function failed(reason: string, minute: number): Promise<number> {
  const post = await makePending();
  await db.queue_entry.update({
    where: { post_id: post.id },
    data: { state: "error", error_reason: reason, errored_at: new Date(Date.UTC(2026, 1, 1, 0, minute)) },
  });
  return post.id;
}
const left = async (ids: number[]) =>
  (await db.queue_entry.findMany({ where: { post_id: { in: ids } }, orderBy: { post_id: "asc" } })).map(
    (each) => each.post_id,
  );

it("rejects failed posts of one reason, oldest first, and keeps the error in the history", async () => {
  const [late, early, other] = [await failed("gone", 9), await failed("gone", 1), await failed("else", 0)];
  expect((await dismiss({ reason: "gone", limit: 1 })).json).toMatchObject({ changed: 1 });
  expect(await left([late, early, other])).toEqual([late, other]);
  expect((await dismiss({ reason: "gone" })).json).toMatchObject({ changed: 1 });
  expect((await dismiss({ reason: "gone" })).json).toMatchObject({ changed: 0 });
  expect(await left([late, early, other])).toEqual([other]);
  expect(await db.post.findUniqueOrThrow({ where: { id: late } })).toMatchObject({
    approved: false,
    approved_at: null,
  });
  expect(await db.post_event.findMany({ where: { post_id: late } })).toMatchObject([
    { action: "reject", from_state: "error", to_state: "rejected", note: "gone" },
  ]);
});

it("keeps a post requeued while waiting for its lock", async () => {
  const [requeued, other] = [await failed("race", 1), await failed("race", 2)];
  let late: ReturnType<typeof dismiss> | undefined;
  await db.$transaction(async (tx) => {
    await moveErrorRows(tx, [requeued], "pending");
    late = dismiss({ reason: "race" });
    await waitForBlockedStatement();
  }, LOCK_TIMEOUT);
  expect((await late)?.json).toMatchObject({ changed: 1 });
  expect(await left([requeued, other])).toEqual([requeued]);
});

it("requeues a group of failed posts to their places, oldest failures first", async () => {
  const [late, early, other] = [await failed("try", 9), await failed("try", 1), await failed("not", 0)];
  const before = await db.queue_entry.update({
    where: { post_id: early },
    data: { deliveries: 7, nacks: 6, refusals: 6, lease_label: "Boost bot", reserved_at: new Date() },
  });
  expect((await requeue({ reason: "try", limit: 1 })).json).toMatchObject({ changed: 1 });
  expect(await db.queue_entry.findUniqueOrThrow({ where: { post_id: early } })).toEqual({
    ...before,
    state: "pending",
    error_reason: null,
    errored_at: null,
    refusals: 0,
    lease_label: null,
    reserved_at: null,
  });
  const failing = await db.queue_entry.findMany({
    orderBy: { post_id: "asc" },
    where: { state: "error", post_id: { in: [late, early, other] } },
  });
  expect(failing.map((each) => each.post_id)).toEqual([late, other]);
});
