import { db, Prisma, type Tx } from "#lib/base/db.ts";
import type { Actor } from "#lib/base/http/principal.ts";

/* Decisions and batches, kept for seven days: an id is applied once, and their undo reads the reviews before. */

/** The member of a session, or one API key. */
type Owner = Pick<Actor, "member_id" | "key_id">;

export interface StoredChange {
  id: string;
  kind: "decision" | "batch";
  /** No text of posts: it would outlive them (docs/decisions/0029-forgetting.md). */
  details: Record<string, unknown>;
}

/** The id exists: the request is a repetition. */
export class ChangeDone extends Error {}

export interface ChangeRecord extends Omit<StoredChange, "details"> {
  details: Prisma.InputJsonObject;
  /** Locked, and about to change: their reviews and queue entries are stored for the undo (undo-posts.ts). */
  posts: readonly number[];
}

const columns = Prisma.sql`id, kind, details`;

/** Columns that an entry copies from its post when it enters the queue. */
const ofPost = [
  "post_id",
  "post_created_at",
  "stream_id",
  "author_key",
  "tags",
  "missing",
  "holds",
  "confirmed_at",
];

/**
 * Call in the transaction of the change, before it. Records nothing for the service itself.
 *
 * @throws ChangeDone
 */
export async function recordChange(tx: Tx, actor: Owner, change: ChangeRecord): Promise<void> {
  if (actor.member_id === null) return;
  const rows = await tx.$queryRaw<{ id: string }[]>`
    WITH recorded AS (
      INSERT INTO change (id, member_id, api_key_id, kind, details)
      VALUES (${change.id}::uuid, ${actor.member_id}, ${actor.key_id}::int, ${change.kind},
              ${JSON.stringify(change.details)}::jsonb)
      ON CONFLICT (id) DO NOTHING RETURNING id
    ), items AS (
      INSERT INTO change_item (change_id, post_id, version, reviewed_at, before)
      SELECT recorded.id, p.id, p.reviewed_version, p.reviewed_at, jsonb_build_object(
               'approved', p.approved, 'reviewed_at', p.reviewed_at, 'reviewed_by', p.reviewed_by,
               'reviewed_by_member', p.reviewed_by_member, 'auto_reject_reason', p.auto_reject_reason,
               'reject_reason_id', p.reject_reason_id)
             || CASE WHEN q.post_id IS NULL THEN '{}'
                     ELSE jsonb_build_object('entry', to_jsonb(q) - ${ofPost}::text[]) END
        FROM recorded, post p LEFT JOIN queue_entry q ON q.post_id = p.id
       WHERE p.id = ANY (${change.posts}::int[])
    )
    SELECT id FROM recorded`;
  if (rows.length === 0) throw new ChangeDone();
}

/** Of any member. */
export async function findChange(tx: Tx, id: string): Promise<StoredChange | null> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return null;
  const rows = await tx.$queryRaw<StoredChange[]>`SELECT ${columns} FROM change WHERE id = ${id}::uuid`;
  return rows[0] ?? null;
}

/** The owner's last decision on a post that was not undone, locked. */
export async function findLastDecision(tx: Tx, owner: Owner, postId: number): Promise<StoredChange | null> {
  const rows = await tx.$queryRaw<StoredChange[]>`
    SELECT ${columns} FROM change
     WHERE id IN (SELECT change_id FROM change_item WHERE post_id = ${postId})
       AND kind = 'decision' AND undone_at IS NULL
       AND member_id = ${owner.member_id} AND api_key_id IS NOT DISTINCT FROM ${owner.key_id}::int
     ORDER BY seq DESC LIMIT 1 FOR UPDATE`;
  return rows[0] ?? null;
}

/** Call it after locking the posts, as a deletion does. @returns false for a change that is missing or undone */
export async function lockOpenChange(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.$queryRaw<{ undone_at: Date | null }[]>`
    SELECT undone_at FROM change WHERE id = ${id}::uuid FOR UPDATE`;
  return rows[0]?.undone_at === null;
}

export async function markUndone(tx: Tx, id: string): Promise<void> {
  await tx.$executeRaw`UPDATE change SET undone_at = clock_timestamp() WHERE id = ${id}::uuid`;
}

export async function pruneChanges(): Promise<void> {
  await db.$executeRaw`
    DELETE FROM change WHERE id IN (
      SELECT id FROM change WHERE at < now() - interval '7 days' ORDER BY at LIMIT 10000)`;
}
