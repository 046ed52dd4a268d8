import { beforeEach, expect, it, vi } from "vitest";
import { GET as getNext } from "#app/api/v1/curated/next/route.ts";
import { PATCH as patchPost } from "#app/api/v1/posts/[id]/route.ts";
import { db } from "#lib/base/db.ts";
import { holdBits } from "#lib/queue/holds.ts";
import { makeKey, makePending, makePost } from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";

const { later } = vi.hoisted(() => {
  process.env.VERCEL = "1";
  process.env.CRON_SECRET = "a secret for tests only";
  return { later: [] as (() => Promise<void>)[] };
});
// Next.js calls it once the response is sent.
vi.mock("next/server", () => ({ after: (work: () => Promise<void>) => later.push(work) }));

beforeEach(() => {
  later.length = 0;
});

const never = { confirmed_at: null, uri: "https://127.0.0.1/1" };
const holdsOf = async (id: number) =>
  (await db.queue_entry.findUniqueOrThrow({ where: { post_id: id } })).holds;

it("On Vercel the source check of an approval runs after the response", async () => {
  const key = await makeKey();
  const { id } = await makePost(never);
  const params = { id: String(id) };
  const body = { approved: true };
  const answer = await call(patchPost, { method: "PATCH", path: `/api/v1/posts/${id}`, params, body, key });
  expect(answer.status).toBe(200);
  expect(await holdsOf(id)).toBe(holdBits.unconfirmed);
  expect(later).toHaveLength(1);
  await later[0]?.();
  expect(await holdsOf(id)).toBe(holdBits.unverifiable);
});

it("On Vercel a reservation plans the checks of the next posts after the response", async () => {
  const key = await makeKey();
  const { id } = await makePending({ ...never, uri: "https://127.0.0.1/2" });
  await db.source_check.deleteMany();
  const next = () => call(getNext, { path: "/api/v1/curated/next", key });
  expect((await next()).status).toBe(204);
  await later[0]?.();
  expect(await holdsOf(id)).toBe(holdBits.unverifiable);
  await next();
  expect(later).toHaveLength(1);
});
