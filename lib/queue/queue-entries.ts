import type { Tx } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { holdBits } from "./holds.ts";
import type { QueueState } from "./states.ts";

/* Changes of queue entries for other domains, in the caller's transaction. */

/**
 * Adds approved posts as `pending`, or held by requirements, blocks, opt-outs and a missing confirmation. A post
 * already in the queue keeps its position.
 *
 * @param at null, for imported posts: each at its own `approved_at`, and no checks of their servers now
 */
export async function enqueuePosts(tx: Tx, postIds: number[], at: Date | null): Promise<void> {
  await tx.$executeRaw`SELECT queue_enqueue(${postIds}::int[], ${at}::timestamptz,
    ${at === null ? 0 : env().CONFIRM_WITHIN_HOURS}::int)`;
}

/**
 * Gives pending entries their former place, counts, lease and error again. Rows are replaced, because an update to `error`
 * would be counted as another report.
 *
 * @param lines of post_event, with the entries `before`
 */
export async function restoreEntries(tx: Tx, lines: readonly bigint[]): Promise<void> {
  await tx.$executeRaw`
    WITH gone AS (
      DELETE FROM queue_entry q USING post_event e
       WHERE e.id = ANY (${lines}::bigint[]) AND e.before ? 'entry' AND q.post_id = e.post_id AND q.state = 'pending'
      RETURNING q AS entry, e.before -> 'entry' AS former)
    INSERT INTO queue_entry SELECT restored.* FROM gone, LATERAL jsonb_populate_record(gone.entry, gone.former) AS restored`;
}

/**
 * For edited posts. An id of the transaction before the lists are read, as recomputeSlice() needs it. No upsert with
 * queue_enqueue(): an entry that is deleted meanwhile would come back.
 */
export async function refreshEntries(tx: Tx, postIds: number[]): Promise<void> {
  if (postIds.length === 0) return;
  await tx.$queryRaw`SELECT pg_current_xact_id()::text`;
  await tx.$executeRaw`
    UPDATE queue_entry q
       SET missing = c.missing, author_key = p.author_key, tags = c.tags, topics = c.topics, related = p.related,
           holds = (q.holds & (4 | 8 | 16)) | hold_bits(p.author_key, c.tags, p.related, c.missing) | 64 * (NOT p.has_https_address)::int
      FROM post p, LATERAL (
             SELECT * FROM entry_facts(p.hashtags_folded, p.stream_hashtag_folded, p.media, p.author_is_bot) OFFSET 0) c
     WHERE p.id = q.post_id AND q.post_id = ANY (${postIds}::int[])`;
}

/** Source checks of these posts become due now. */
export async function wantSourceChecks(tx: Tx, postIds: number[]): Promise<void> {
  if (postIds.length > 0)
    await tx.$executeRaw`
      INSERT INTO source_check AS c (post_id, host)
      SELECT id, uri_host(uri) FROM post WHERE id = ANY (${postIds}::int[]) ORDER BY id
      ON CONFLICT (post_id) DO UPDATE SET due_at = now() WHERE c.due_at > now()`;
}

/**
 * For posts that return to the queue: only a check ends the holds `differs` and `unverifiable`, and theirs ended when they
 * left it.
 */
export async function wantChecksOfHeld(tx: Tx, postIds: number[]): Promise<void> {
  const rows = await tx.$queryRaw<{ post_id: number }[]>`
    SELECT post_id FROM queue_entry
     WHERE post_id = ANY (${postIds}::int[]) AND state = 'pending' AND holds & (8 | 16) <> 0`;
  await wantSourceChecks(
    tx,
    rows.map((row) => row.post_id),
  );
}

/** Servers have just shown these posts as they are stored. */
export async function confirmEntries(tx: Tx, postIds: number[]): Promise<void> {
  const lifted = holdBits.unconfirmed | holdBits.unverifiable | holdBits.differs;
  await tx.$executeRaw`
    UPDATE queue_entry SET confirmed_at = now(), holds = holds & ~${lifted}::smallint
     WHERE state <> 'delivered' AND post_id = ANY (${postIds}::int[])`;
}

/**
 * A reserved post stays with its consumer until it returns to the queue. A post is either unconfirmed or unverifiable.
 */
export async function holdPosts(tx: Tx, postIds: number[], hold: "differs" | "unverifiable"): Promise<void> {
  const bit = holdBits[hold];
  const replaced = hold === "unverifiable" ? holdBits.unconfirmed : 0;
  await tx.$executeRaw`
    UPDATE queue_entry SET holds = (holds & ~${replaced}::smallint) | ${bit}::smallint
     WHERE state <> 'delivered' AND holds & ${bit}::smallint = 0 AND post_id = ANY (${postIds}::int[])`;
}

/**
 * Locks entries until the transaction ends, in order of id, and returns their states, without posts outside the queue.
 * A reserve skips locked entries; ack and nack wait.
 */
export async function lockQueueStates(tx: Tx, postIds: number[]): Promise<Map<number, QueueState>> {
  const rows = await tx.$queryRaw<{ post_id: number; state: QueueState }[]>`
    SELECT post_id, state FROM queue_entry WHERE post_id = ANY (${postIds}::int[]) ORDER BY post_id FOR UPDATE`;
  return new Map(rows.map((row) => [row.post_id, row.state]));
}
