import { Prisma } from "#lib/base/db.ts";
import { holdBits, missingValues, requirementBits, type HeldReason } from "#lib/queue/holds.ts";
import { switchRow } from "#lib/queue/switches.ts";
import { queueStatuses } from "./post-schema.ts";
import { statesOf, type PostFilters, type PostOrder } from "./filter-schema.ts";

type Held = HeldReason | "any";
type HeldFilters = Pick<PostFilters, "queue_status"> & { held_by: Held };

/** The requirements of the export settings, as bits of queue_entry.missing. */
export const mask = Prisma.sql`(SELECT s.require_media::int * ${requirementBits.require_media}::int
  + s.require_alt_text::int * ${requirementBits.require_alt_text}::int
  + s.auto_reject_bots::int * ${requirementBits.auto_reject_bots}::int FROM ${switchRow})`;

const columns = Prisma.sql`e.post_id, e.state, e.post_created_at, e.stream_id, e.author_key,
  e.approved_at, e.delivered_at, e.errored_at, e.error_reason, e.holds, e.missing, e.not_before,
  e.lease_expires_at, e.refusals`;

/** Orders that the ranges have; for other orders PostgreSQL sorts the rows that it found. */
const rangeOrders: Partial<Record<PostOrder, Prisma.Sql>> = {
  newest: Prisma.sql`ORDER BY e.post_created_at DESC, e.post_id DESC`,
  oldest: Prisma.sql`ORDER BY e.post_created_at ASC, e.post_id ASC`,
};

/**
 * Replaces `queue_entry e` by the entries held for this reason. Pending ones are read as ranges of
 * queue_entry_held_by_idx, one for each pair of missing requirements and first hold; ranges that the current switches
 * assign to another reason are skipped. Each range is ordered, so PostgreSQL merges them and stops after the page.
 * Reserved ones and errors are few, and are scanned.
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
    for (const { missing, hold, gate } of rangesOf(held_by)) {
      parts.push(Prisma.sql`(SELECT ${columns} FROM queue_entry e
        WHERE e.state = 'pending' AND (e.missing <> 0 OR e.holds <> 0)
          AND e.missing = ${missing}::smallint AND (e.holds & -e.holds) = ${hold}::smallint AND ${gate} ${inOrder})`);
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

interface Range {
  missing: number;
  /** Bit of the first hold, 0 for none. */
  hold: number;
  /** SQL without columns: whether the switches assign this range to the reason. */
  gate: Prisma.Sql;
}

const everyHold = Object.values(holdBits);

/** Follows `heldBy` (lib/queue/holds.ts): switches in their order come before holds in theirs. */
function rangesOf(reason: Held): Range[] {
  const bit = bitsOf(reason);
  if (bit === null) {
    return missingValues.flatMap((missing) => [
      ...everyHold.map((hold) => ({ missing, hold, gate: Prisma.sql`true` })),
      ...(missing === 0 ? [] : [{ missing, hold: 0, gate: Prisma.sql`${missing}::int & ${mask} <> 0` }]),
    ]);
  }
  if ("hold" in bit) {
    return missingValues.map((missing) => ({
      missing,
      hold: bit.hold,
      gate: missing === 0 ? Prisma.sql`true` : Prisma.sql`${missing}::int & ${mask} = 0`,
    }));
  }
  return missingValues
    .filter((missing) => missing & bit.missingBit)
    .flatMap((missing) => {
      // Only this bit is set among the bits up to it.
      const upTo = missing & (2 * bit.missingBit - 1);
      const gate = Prisma.sql`${upTo}::int & ${mask} = ${bit.missingBit}::int`;
      return [0, ...everyHold].map((hold) => ({ missing, hold, gate }));
    });
}

/** Whether a row `e`, found in another way, is held for this reason: a delivered post is held by nothing. */
export function isHeldBy(reason: Held): Prisma.Sql {
  return Prisma.sql`(e.state <> 'delivered' AND ${heldIf(reason)})`;
}

/** The same of a row `e`. */
function heldIf(reason: Held): Prisma.Sql {
  const bit = bitsOf(reason);
  if (bit === null) return Prisma.sql`(e.holds <> 0 OR e.missing & ${mask} <> 0)`;
  return "hold" in bit
    ? Prisma.sql`e.missing & ${mask} = 0 AND (e.holds & -e.holds) = ${bit.hold}::smallint`
    : Prisma.sql`e.missing & ${2 * bit.missingBit - 1}::int & ${mask} = ${bit.missingBit}::int`;
}

function bitsOf(reason: Held): { hold: number } | { missingBit: number } | null {
  if (reason === "any") return null;
  if (reason === "bot") return { missingBit: requirementBits.auto_reject_bots };
  return reason in requirementBits
    ? { missingBit: requirementBits[reason as keyof typeof requirementBits] }
    : { hold: holdBits[reason as keyof typeof holdBits] };
}
