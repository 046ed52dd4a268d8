import { Prisma } from "#lib/base/db.ts";
import { firstHold } from "#lib/queue/first-hold.ts";
import { heldReasons, holdBits, type HeldReason } from "#lib/queue/holds.ts";
import { queueStatuses } from "./post-schema.ts";
import { statesOf, type PostFilters, type PostOrder } from "./filter-schema.ts";

type Held = HeldReason | "any";
type HeldFilters = Pick<PostFilters, "queue_status"> & { held_by: Held };

const columns = Prisma.sql`e.post_id, e.state, e.post_created_at, e.stream_id, e.author_key,
  e.approved_at, e.delivered_at, e.errored_at, e.error_reason, e.holds, e.not_before,
  e.lease_expires_at, e.refusals`;

/** Orders that the ranges have; for other orders PostgreSQL sorts the rows that it found. */
const rangeOrders: Partial<Record<PostOrder, Prisma.Sql>> = {
  newest: Prisma.sql`ORDER BY e.post_created_at DESC, e.post_id DESC`,
  oldest: Prisma.sql`ORDER BY e.post_created_at ASC, e.post_id ASC`,
};

/**
 * Replaces `queue_entry e` by the entries held for this reason. Pending ones are a range of queue_entry_held_idx for each
 * reason. Each range is ordered, so PostgreSQL merges them and stops after the page. Reserved ones and errors are few, and
 * are scanned.
 *
 * @param order of the list; null for lists by another time than creation
 */
export function heldEntries(
  { held_by, queue_status: status }: HeldFilters,
  order: PostOrder | null,
): Prisma.Sql {
  const inOrder = (order && rangeOrders[order]) ?? Prisma.empty;
  const parts: Prisma.Sql[] = [];
  const states: readonly string[] = status === undefined ? queueStatuses : statesOf(status);
  if (states.includes("pending")) {
    for (const reason of held_by === "any" ? heldReasons : [held_by]) {
      parts.push(Prisma.sql`(SELECT ${columns} FROM queue_entry e
        WHERE e.holds <> 0 AND e.state = 'pending' AND ${firstHold} = ${holdBits[reason]}::int ${inOrder})`);
    }
  }
  for (const state of ["reserved", "error"] as const) {
    if (states.includes(state))
      parts.push(
        Prisma.sql`(SELECT ${columns} FROM queue_entry e WHERE e.state = ${state} AND ${heldIf(held_by)} ${inOrder})`,
      );
  }
  // A delivered post is held by nothing.
  if (parts.length === 0) parts.push(Prisma.sql`SELECT ${columns} FROM queue_entry e WHERE false`);
  return Prisma.sql`(${Prisma.join(parts, " UNION ALL ")}) e`;
}

/** Whether a row `e`, found in another way, is held for this reason: a delivered post is held by nothing. */
export function isHeldBy(reason: Held): Prisma.Sql {
  return Prisma.sql`(e.state <> 'delivered' AND ${heldIf(reason)})`;
}

/** The same of a row `e`. */
function heldIf(reason: Held): Prisma.Sql {
  return reason === "any" ? Prisma.sql`e.holds <> 0` : Prisma.sql`${firstHold} = ${holdBits[reason]}::int`;
}
