import { db } from "#lib/base/db.ts";
import { compactTally } from "#lib/base/tally.ts";
import { makeKey } from "#tests/setup/factories.ts";
import { call, type RouteHandler } from "#tests/setup/request.ts";

const HOUR = 3_600_000;

export const ago = (hours: number): Date => new Date(Date.now() - hours * HOUR);

export const compacted = () => compactTally(new Date(Date.now() + 10_000));

export const rejected = (at = new Date()) => ({ approved: false, reviewed_at: at });

export async function forgetEverything(): Promise<void> {
  await db.$executeRaw`TRUNCATE post, stream, queue_entry, tally, tally_delta CASCADE`;
}

export async function move(postId: number, state: "reserved" | "delivered" | "error", more: object = {}) {
  const where = { post_id: postId };
  await db.queue_entry.update({
    where,
    data: {
      state: "reserved",
      lease_id: "9b2f6c1e-2f0e-4b53-8f7b-5f1b1a1c2d3e",
      lease_label: "bot",
      lease_expires_at: new Date(Date.now() + HOUR),
    },
  });
  if (state === "reserved") return;
  const end =
    state === "delivered" ? { delivered_at: new Date() } : { errored_at: new Date(), error_reason: "gone" };
  await db.queue_entry.update({
    where,
    data: { state, lease_id: null, lease_expires_at: null, ...end, ...more },
  });
}

export async function readStats<Body>(handler: RouteHandler, path: string): Promise<Body> {
  const key = await makeKey({ scopes: ["read"] });
  const answer = await call<Body>(handler, { path: `/api/v1${path}`, key });
  if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status}`);
  return answer.json;
}
