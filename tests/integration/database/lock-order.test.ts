import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { db, type Tx } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { cleanupDelivered } from "#lib/queue/cleanup-delivered.ts";
import { settle } from "#tests/integration/queue/moves.ts";
import { LOCK_TIMEOUT, waitForBlockedStatement } from "#tests/setup/database.ts";
import { makeKey, makePending, makePost } from "#tests/setup/factories.ts";
import { sender } from "#tests/setup/operations.ts";

/* Deletions and reviews lock posts by id, then queue entries, then batches. In another order they deadlock. */

const key = await makeKey();

const send = sender({ key });
const batch = async (body: object) => (await send<{ batch_id: string }>("POST review/batch", body)).json;

async function failed(reason: string) {
  const { id } = await makePending();
  await db.$executeRaw`UPDATE queue_entry SET state = 'reserved', lease_id = gen_random_uuid(), reserved_at = now(),
    lease_expires_at = now() + interval '1 hour' WHERE post_id = ${id}`;
  expect((await settle("error", key, id, { reason })).status).toBe(204);
  return id;
}

const lock = (tx: Tx, id: number) => tx.$executeRaw`SELECT FROM post WHERE id = ${id} FOR UPDATE`;
/** Fails instead of waiting for a lock, before a deadlock would be noticed. */
const impatient = (tx: Tx) => tx.$executeRaw`SET LOCAL lock_timeout = '400ms'`;
const remove = (tx: Tx, ...ids: number[]) => tx.$executeRaw`SELECT delete_posts(${ids}::int[], 'cleanup')`;

describe("a post that is deleted during an undo", () => {
  it("of a batch is not waited for", async () => {
    const { id } = await makePost();
    const { batch_id } = await batch({ post_ids: [id], decision: "reject", note: "a note" });
    let undone: Promise<{ status: number }> | undefined;
    await db.$transaction(async (tx) => {
      await lock(tx, id);
      undone = send(`POST review/batch/${batch_id}/undo`);
      await waitForBlockedStatement();
      await impatient(tx);
      await remove(tx, id);
    }, LOCK_TIMEOUT);
    expect((await undone)?.status).toBe(200);
    expect(await db.post_event.count({ where: { note: "a note" } })).toBe(0);
  });
});

it("a requeue skips a post that is being deleted", async () => {
  const reason = `reason ${randomUUID()}`;
  const [gone, kept] = [await failed(reason), await failed(reason)];
  await db.$transaction(async (tx) => {
    await lock(tx, gone);
    const { json } = await send("POST curated/errors/requeue", { reason });
    expect(json).toMatchObject({ changed: 1 });
    await impatient(tx);
    await remove(tx, gone);
  }, LOCK_TIMEOUT);
  expect(await db.queue_entry.findUnique({ where: { post_id: kept } })).toMatchObject({
    state: "pending",
  });
});

it("a cleanup locks posts in order of id", async () => {
  await db.post.deleteMany();
  const [first, second] = [await makePending(), await makePending()];
  await db.$executeRaw`UPDATE queue_entry SET state = 'delivered', delivered_at = now() - interval '9 days'`;
  // Its row is now behind the other one in the table.
  await db.$executeRaw`UPDATE post SET likes = likes + 1 WHERE id = ${first.id}`;
  let cleaned: ReturnType<typeof cleanupDelivered> | undefined;
  await db.$transaction(async (tx) => {
    await lock(tx, first.id);
    cleaned = cleanupDelivered(servicePrincipal, 7);
    await waitForBlockedStatement();
    await impatient(tx);
    await lock(tx, second.id);
  }, LOCK_TIMEOUT);
  expect(await cleaned).toEqual({ deleted: 2, complete: true });
});

describe("posts that share a text, deleted at the same time", () => {
  async function together(one: number, other: number) {
    let later: Promise<unknown> | undefined;
    await db.$transaction(async (tx) => {
      await remove(tx, one);
      later = db.$transaction((second) => remove(second, other), LOCK_TIMEOUT);
      await waitForBlockedStatement();
    }, LOCK_TIMEOUT);
    await later;
  }

  it("leave no note of a batch", async () => {
    const [one, other] = [await makePost(), await makePost()];
    const body = { post_ids: [one.id, other.id], decision: "reject", note: `note ${randomUUID()}` };
    await batch(body);
    await together(one.id, other.id);
    expect(await db.post_event.count({ where: { note: body.note } })).toBe(0);
  });
});
