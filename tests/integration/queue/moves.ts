import { POST as postAck } from "#app/api/v1/curated/[post_id]/ack/route.ts";
import { POST as postError } from "#app/api/v1/curated/[post_id]/error/route.ts";
import { POST as postExtend } from "#app/api/v1/curated/[post_id]/extend/route.ts";
import { POST as postMarkDelivered } from "#app/api/v1/curated/[post_id]/mark-delivered/route.ts";
import { POST as postNack } from "#app/api/v1/curated/[post_id]/nack/route.ts";
import { POST as postRequeue } from "#app/api/v1/curated/[post_id]/requeue/route.ts";
import { GET as getNext } from "#app/api/v1/curated/next/route.ts";
import { db } from "#lib/base/db.ts";
import type { QueueItem } from "#lib/queue/schema.ts";
import { switches } from "#lib/queue/switches.ts";
import { call, type CallResult } from "#tests/setup/request.ts";

export const handlers = {
  ack: postAck,
  nack: postNack,
  error: postError,
  extend: postExtend,
  requeue: postRequeue,
  "mark-delivered": postMarkDelivered,
};
export type Verb = keyof typeof handlers;

export function next(key: string, query = ""): Promise<CallResult<QueueItem & { detail?: string }>> {
  return call(getNext, { path: `/api/v1/curated/next${query ? `?${query}` : ""}`, key });
}

export function settle(
  verb: Verb,
  key: string | undefined,
  id: number | string,
  body: unknown = verb === "error" ? { reason: "Permanent error reblogging post" } : undefined,
  headers: Record<string, string> = {},
): Promise<CallResult<{ detail: string }>> {
  return call(handlers[verb], {
    method: "POST",
    path: `/api/v1/curated/${id}/${verb}`,
    params: { post_id: String(id) },
    ...(key === undefined ? {} : { key }),
    body,
    headers,
  });
}

/** Returns a reserved post to its place without counting it. */
export async function giveBack(postId: number): Promise<void> {
  await db.$executeRaw`UPDATE queue_entry SET state = 'pending', lease_id = NULL, lease_key_id = NULL,
    lease_label = NULL, reserved_at = NULL, lease_expires_at = NULL WHERE post_id = ${postId}`;
}

/** Backdates a reservation, because tests cannot set the clock of the database. */
export async function ageReservation(postId: number, seconds: number): Promise<void> {
  await db.$executeRaw`UPDATE queue_entry SET lease_expires_at = lease_expires_at - ${seconds}::int * interval '1 second',
    reserved_at = reserved_at - ${seconds}::int * interval '1 second' WHERE post_id = ${postId}`;
}

export async function endPause(postId: number): Promise<void> {
  await db.$executeRaw`UPDATE queue_entry SET not_before = now() - interval '1 second' WHERE post_id = ${postId} AND not_before IS NOT NULL`;
}

export function entry(postId: number) {
  return db.queue_entry.findUniqueOrThrow({ where: { post_id: postId } });
}

export async function emptyQueue(): Promise<void> {
  await db.post.deleteMany();
  await db.topical_tag.deleteMany();
  await switches.set({
    require_media: false,
    require_alt_text: false,
    auto_reject_bots: false,
    deliveries_paused: false,
  });
}

/** Pearson's chi-square for equal probabilities. The bounds of the tests are for p = 10⁻⁷. */
export function chiSquare(counts: number[]): number {
  const expected = counts.reduce((a, b) => a + b, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}
