import type { Tx } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { holdBits } from "./holds.ts";
import type { QueueState } from "./states.ts";

/* Changes of queue entries by other rooms, in the caller's transaction. */

/**
 * Adds approved posts as `pending`, or held by requirements, blocks, opt-outs and a missing confirmation. A post
 * already in the queue keeps its position.
 *
 * @param at time of the approval. Null for imported posts: each keeps its own `approved_at`, and no server is asked now
 */
export async function enqueuePosts(tx: Tx, postIds: number[], at: Date | null): Promise<void> {
  await tx.$executeRaw`SELECT queue_enqueue(${postIds}::int[], ${at}::timestamptz,
    ${at === null ? 0 : env().CONFIRM_WITHIN_HOURS}::int)`;
}

/**
 * Gives pending entries their former place, counts, lease and error again. Deletes and inserts rows, because an update to
 * `error` would be counted as another report.
 *
 * @param lines ids of post_event; their `before` has the former entries
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
 * Copies edited posts to their entries and computes the holds again. The transaction takes an id before it reads the lists
 * (recomputeSlice() relies on it). An upsert by queue_enqueue() would bring back an entry that is deleted meanwhile.
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
 * Asks for source checks of posts that return to the queue with the hold `differs` or `unverifiable`: only a check ends
 * these holds, and the check that was planned ended when the post left the queue.
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

/** Call it when servers have shown these posts as they are stored. Ends the holds that only a check ends. */
export async function confirmEntries(tx: Tx, postIds: number[]): Promise<void> {
  const lifted = holdBits.unconfirmed | holdBits.unverifiable | holdBits.differs;
  await tx.$executeRaw`
    UPDATE queue_entry SET confirmed_at = now(), holds = holds & ~${lifted}::smallint
     WHERE state <> 'delivered' AND post_id = ANY (${postIds}::int[])`;
}

/**
 * Holds posts after a source check. A reserved post stays with its consumer until it returns to the queue. `unverifiable`
 * replaces `unconfirmed`.
 */
export async function holdPosts(tx: Tx, postIds: number[], hold: "differs" | "unverifiable"): Promise<void> {
  const bit = holdBits[hold];
  const replaced = hold === "unverifiable" ? holdBits.unconfirmed : 0;
  await tx.$executeRaw`
    UPDATE queue_entry SET holds = (holds & ~${replaced}::smallint) | ${bit}::smallint
     WHERE state <> 'delivered' AND holds & ${bit}::smallint = 0 AND post_id = ANY (${postIds}::int[])`;
}

/**
 * Locks entries in order of id until the transaction ends. A reserve skips locked entries; ack and nack wait.
 *
 * @returns the state by post id, without posts that are not in the queue
 */
export async function lockQueueStates(tx: Tx, postIds: number[]): Promise<Map<number, QueueState>> {
  const rows = await tx.$queryRaw<{ post_id: number; state: QueueState }[]>`
    SELECT post_id, state FROM queue_entry WHERE post_id = ANY (${postIds}::int[]) ORDER BY post_id FOR UPDATE`;
  return new Map(rows.map((row) => [row.post_id, row.state]));
}
