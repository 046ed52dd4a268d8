import { expect, it, vi } from "vitest";
import { db } from "#lib/base/db.ts";
import { planSourceChecks } from "#lib/collect/plan-checks.ts";
import { markConfirmed } from "#lib/collect/ingest-known.ts";
import { makeKey, makePending } from "#tests/setup/factories.ts";
import { next } from "./moves.ts";

vi.hoisted(() => (process.env.CONFIRM_WITHIN_HOURS = "0"));

const never = { from_home: false, confirmed_at: null, fetched_at: new Date(Date.now() - 30 * 86_400_000) };

it("With CONFIRM_WITHIN_HOURS=0 posts of every age are handed out", async () => {
  const { id } = await makePending(never);
  expect((await next(await makeKey())).json.fenliu_post_id).toBe(id);
});

it("With CONFIRM_WITHIN_HOURS=0 a restored post is handed out once its server has shown it", async () => {
  const [restored, fresh] = [await makePending(), await makePending()];
  await db.queue_entry.deleteMany({ where: { post_id: { notIn: [restored.id, fresh.id] } } });
  const key = await makeKey();
  const work = () => planSourceChecks({ deadline: new Date(Date.now() + 20_000) });
  const holds = async () =>
    (await db.queue_entry.findUniqueOrThrow({ where: { post_id: restored.id } })).holds;
  await db.$executeRaw`UPDATE queue_entry SET confirmed_at = confirmed_since(0) WHERE post_id = ${restored.id}`;
  expect((await next(key)).json.fenliu_post_id).toBe(fresh.id);
  expect((await next(key)).status).toBe(204);
  await db.$executeRaw`UPDATE queue_entry SET holds = 0 WHERE post_id = ${restored.id}`;
  for (const _ of "twice") await work();
  expect(await holds()).toBe(4);
  expect(await db.source_check.count({ where: { post_id: restored.id } })).toBe(1);
  expect((await next(key)).status).toBe(204);
  await db.$transaction((tx) => markConfirmed(tx, [restored.id]));
  await work();
  expect((await next(key)).json.fenliu_post_id).toBe(restored.id);
});

it("With CONFIRM_WITHIN_HOURS=0 a restored post that is approved afterwards waits for its server, too", async () => {
  const { id } = await makePending({ confirmed_at: null });
  await db.queue_entry.deleteMany({ where: { post_id: { not: id } } });
  const key = await makeKey();
  expect((await next(key)).status).toBe(204);
  await db.$transaction((tx) => markConfirmed(tx, [id]));
  expect((await next(key)).json.fenliu_post_id).toBe(id);
});

it("With CONFIRM_WITHIN_HOURS=0 the worker lifts the holds of the former setting and checks the head", async () => {
  const { id } = await makePending(never);
  expect(await db.source_check.count({ where: { post_id: id } })).toBe(0);
  await db.$executeRaw`UPDATE queue_entry SET holds = 4 | 16 WHERE post_id = ${id}`;
  await planSourceChecks({ deadline: new Date(Date.now() + 20_000) });
  expect((await db.queue_entry.findUniqueOrThrow({ where: { post_id: id } })).holds).toBe(16);
  await db.$executeRaw`UPDATE queue_entry SET holds = 0 WHERE post_id = ${id}`;
  await planSourceChecks({ deadline: new Date(Date.now() + 20_000) });
  expect(await db.source_check.count({ where: { post_id: id } })).toBe(1);
});
