import { sleep } from "#lib/base/clock.ts";
import { db, Prisma, type Tx } from "#lib/base/db.ts";
import type { StoredPatternType } from "#lib/blocking/schema.ts";
import { log } from "#lib/base/log.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { holdBits } from "./holds.ts";

/** Entries that one statement reads and locks (docs/decisions/0006-block-changes-in-batches.md). */
const SLICE = 2_000;
/** Time that a request spends on its own change. The worker applies the rest. */
const MAX_REQUEST_MS = 2_000;
/** Part of it for waiting for transactions that overlap the change. The worker would find what they write as well. */
const MAX_OVERLAP_WAIT_MS = 200;
const WAIT_MS = 25;
/** The bits that hold_bits() sets. */
const LIST_BITS =
  holdBits.blocked_user |
  holdBits.blocked_hashtag |
  holdBits["opt-out reported"] |
  holdBits.require_media |
  holdBits.require_alt_text |
  holdBits.bot;

/** SQL of the column `topics` of an entry, from its tags. */
const TOPICS = Prisma.sql`(SELECT f.topics FROM entry_facts(tags, NULL, '[]', false) f)`;

/** Names the queue entries that a change of a list, a switch, a reported opt-out or a topical rule may concern. */
export interface HoldChange {
  /** `exact`: with one of these authors or tags; `any`: all; `switch`: those that miss a requirement; else by one pattern. */
  pattern_type: StoredPatternType | "any" | "switch";
  /** In stored form: `user@host`, a part of it or a domain in lower case, or folded hashtags. */
  patterns: string[];
}

/**
 * Makes a change and applies it to the queue, for up to two seconds; the worker applies the rest.
 *
 * @param change writes lists and switches, and names the entries that it may concern. Runs again after a deadlock
 * @param timeout of the transaction of `change`, in milliseconds
 */
export async function changeHolds<T>(
  change: (tx: Tx) => Promise<{ result: T; changes: HoldChange[] }>,
  timeout?: number,
): Promise<T> {
  const { result, ids } = await inTransaction(async (tx) => {
    const { result, changes } = await change(tx);
    return { result, ids: await noteHoldChanges(tx, changes) };
  }, timeout);
  const deadline = Date.now() + MAX_REQUEST_MS;
  try {
    for (const id of ids) await recompute(id, deadline, MAX_OVERLAP_WAIT_MS);
  } catch (error) {
    // The change is committed, so the request has succeeded.
    log.warn({ err: error }, "change of holds not applied in the request, left to the worker");
  }
  return result;
}

/**
 * Notes a change of this transaction for the worker. Until the worker has applied it, each reserve compares posts with the
 * lists.
 *
 * @returns ids of the notes
 */
export async function noteHoldChanges(tx: Tx, changes: HoldChange[]): Promise<number[]> {
  if (changes.length === 0) return [];
  const rows = await tx.hold_change.createManyAndReturn({ data: changes, select: { id: true } });
  return rows.map((row) => row.id);
}

/**
 * Applies the noted changes. Several processes may call it at the same time.
 *
 * @returns `worked`: whether any entry was read
 */
export async function applyHoldChanges({ deadline }: { deadline: Date }): Promise<{ worked: boolean }> {
  let worked = false;
  const open = await db.hold_change.findMany({ orderBy: { id: "asc" }, select: { id: true } });
  for (const { id } of open)
    if (Date.now() < deadline.getTime() && (await recompute(id, deadline.getTime(), 0))) worked = true;
  return { worked };
}

/**
 * Applies one change, slice by slice.
 *
 * @param maxWaitMs waiting for transactions that overlap the change, or for another process that applies it
 * @returns whether any entry was read
 */
async function recompute(id: number, deadline: number, maxWaitMs: number): Promise<boolean> {
  let worked = false;
  for (let waited = 0; ;) {
    const outcome = await inTransaction((tx) => recomputeSlice(tx, id));
    if (outcome === "waiting") {
      if (waited + WAIT_MS > maxWaitMs) return worked;
      await sleep(WAIT_MS);
      waited += WAIT_MS;
      continue;
    }
    worked = true;
    if (outcome === "done" || Date.now() >= deadline) return worked;
  }
}

/**
 * Sets `holds` and `topics` of the next entries that a change may concern, in order of id. Skips locked entries.
 *
 * One pass is not enough: an approval may have read the lists before the change and commit its entry after the pass. So the
 * end of a pass stores its transaction id (`fence`), and the next pass begins when all transactions of this database with
 * lower ids have ended. Approvals, edits and slices of other changes take an id before they read the lists. The change is
 * done after a second pass that skipped nothing.
 *
 * @returns `waiting`: for those transactions, or for another process that applies the change
 */
export async function recomputeSlice(tx: Tx, id: number): Promise<"more" | "waiting" | "done"> {
  // A fence above our own id is that of another cluster, whose database was restored here.
  const [change] = await tx.$queryRaw<(OpenChange & { me: bigint; is_early: boolean })[]>`
    SELECT c.*, me, after_id = 0 AND fence <= me AND EXISTS (
             SELECT FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
              WHERE l.locktype = 'transactionid' AND l.mode = 'ExclusiveLock' AND a.datname = current_database()
                AND age(l.transactionid) > age((fence % 4294967296)::text::xid)) AS is_early
      FROM (SELECT pg_current_xact_id()::text::bigint AS me) x, hold_change c
     WHERE id = ${id} FOR UPDATE OF c SKIP LOCKED`;
  if (change === undefined) return (await tx.hold_change.count({ where: { id } })) > 0 ? "waiting" : "done";
  if (change.is_early) return "waiting";
  const [slice] = await tx.$queryRaw<[{ entries: number; last_id: number; left_out: boolean }]>(
    sliceStatement(change),
  );
  const skipped = change.skipped || slice.left_out;
  if (slice.entries < SLICE && change.fence !== null && !skipped) {
    await tx.hold_change.delete({ where: { id } });
    return "done";
  }
  const data =
    slice.entries === SLICE
      ? { after_id: slice.last_id, skipped }
      : { after_id: 0, skipped: false, fence: change.me };
  await tx.hold_change.update({ where: { id }, data });
  return "more";
}

interface OpenChange extends HoldChange {
  after_id: number;
  skipped: boolean;
  fence: bigint | null;
}

/** Updates the wrong entries of a slice. One row: `entries` read, their `last_id`, and `left_out`: some were locked. */
export function sliceStatement(change: HoldChange & { after_id: number }): Prisma.Sql {
  return Prisma.sql`
    WITH slice AS MATERIALIZED (
      SELECT post_id, topics <> ${TOPICS} OR holds & ${LIST_BITS}::int <> hold_bits(author_key, tags, related, missing) AS is_wrong
        FROM queue_entry WHERE state <> 'delivered' AND post_id > ${change.after_id}::int AND ${isConcerned(change)}
       ORDER BY post_id LIMIT ${SLICE}
    ), free AS MATERIALIZED (
      SELECT post_id FROM queue_entry WHERE post_id IN (SELECT post_id FROM slice WHERE is_wrong)
       ORDER BY post_id FOR UPDATE SKIP LOCKED
    ), updated AS (
      UPDATE queue_entry q SET holds = (holds & ~${LIST_BITS}::int) | hold_bits(author_key, tags, related, missing), topics = ${TOPICS}
        FROM free WHERE q.post_id = free.post_id AND state <> 'delivered'
    )
    SELECT count(*)::int AS entries, max(post_id) AS last_id,
           count(*) FILTER (WHERE is_wrong) > (SELECT count(*) FROM free) AS left_out FROM slice`;
}

/** Condition on a row of queue_entry: the change may concern it. */
function isConcerned({ pattern_type, patterns }: HoldChange): Prisma.Sql {
  switch (pattern_type) {
    case "exact":
      return Prisma.sql`(author_key = ANY (${patterns}) OR tags && ${patterns} OR related && ${patterns})`;
    case "switch":
      return Prisma.sql`missing <> 0`;
    case "any":
      return Prisma.sql`true`;
    default:
      return Prisma.sql`EXISTS (SELECT FROM unnest(related || author_key) a
        WHERE a LIKE '%@%' AND user_pattern_matches(${pattern_type}, ${patterns[0]}, a))`;
  }
}
