import { expect } from "vitest";
import { applyHoldChanges } from "#lib/queue/hold-changes.ts";
import { Prisma } from "#lib/base/db.ts";
import type { PrismaClient } from "#prisma/generated/client.ts";

class Rollback extends Error {}

/** The post that the next reserve would return, or null. Reserves nothing. */
export async function reserveOne(db: PrismaClient): Promise<number | null> {
  let id: number | null = null;
  try {
    await db.$transaction(async (tx) => {
      const rows = await tx.$queryRaw<{ post_id: number | null }[]>`
        SELECT post_id FROM queue_reserve(queue_identify(NULL, 1, 'test'), false, '{false}', 'UTC', 300)`;
      id = rows[0]?.post_id ?? null;
      throw new Rollback();
    });
  } catch (error) {
    if (!(error instanceof Rollback)) throw error;
  }
  return id;
}

export function wrongEntries(
  db: PrismaClient,
): Promise<{ post_id: number; author_key: string; tags: string[]; holds: number; right: number }[]> {
  return db.$queryRaw`
    SELECT post_id, author_key, tags, holds::int, ${right} AS right
      FROM queue_entry WHERE state <> 'delivered' AND holds & 35 <> ${right}`;
}

/** Expected block bits, computed without the indexed lookups of production. */
const right = Prisma.sql`(
  (EXISTS (SELECT FROM blocked_user b WHERE EXISTS (
     SELECT FROM unnest(related || author_key) a WHERE a LIKE '%@%' AND user_pattern_matches(b.pattern_type, b.account_identifier, a))))::int
  + 2 * (EXISTS (SELECT FROM blocked_hashtag b WHERE b.hashtag_folded = ANY (tags || related)))::int
  + 32 * (EXISTS (SELECT FROM reported_opt_out o WHERE o.author_key = ANY (related || queue_entry.author_key) AND o.resolved_at IS NULL))::int)`;

export async function holdsOf(db: PrismaClient, postId: number): Promise<number | null> {
  const entry = await db.queue_entry.findUnique({ where: { post_id: postId }, select: { holds: true } });
  return entry?.holds ?? null;
}

/** The worker applies all changes, also those that wait for transactions. */
export async function applyAll(db: PrismaClient): Promise<void> {
  const open = async () => {
    await applyHoldChanges({ deadline: new Date(Date.now() + 5000) });
    return db.hold_change.count();
  };
  await expect.poll(open, { interval: 20, timeout: 60_000 }).toBe(0);
}
