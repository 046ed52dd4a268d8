import { db, Prisma, type Tx } from "#lib/db.ts";
import type { StoredAction, UndoLimits } from "./action-kind.ts";

/** The member of a session, or one API key. */
export interface Owner {
  member_id: number;
  key_id: number | null;
}

export interface ActionRow extends StoredAction {
  seq: bigint;
  session_id: string | null;
  undone_at: Date | null;
  undo: { restored: number; limits: UndoLimits } | null;
}

const ofOwner = ({ member_id, key_id }: Owner) =>
  Prisma.sql`member_id = ${member_id} AND api_key_id IS NOT DISTINCT FROM ${key_id}::int`;

const columns = Prisma.sql`id, seq, at, session_id, kind, changed, details, before, undone_at, undo`;

/** Newest first. */
export async function actionRows(
  owner: Owner,
  filter: {
    before: bigint | undefined;
    session_id: string | undefined;
    undone: boolean | undefined;
    limit: number;
  },
): Promise<ActionRow[]> {
  const { before = null, session_id = null, undone = null, limit } = filter;
  return db.$queryRaw<ActionRow[]>`
    SELECT ${columns} FROM change
     WHERE ${ofOwner(owner)} AND changed > 0 AND (${before}::bigint IS NULL OR seq < ${before}::bigint)
       AND (${session_id}::uuid IS NULL OR session_id = ${session_id}::uuid)
       AND (${undone}::boolean IS NULL OR (undone_at IS NOT NULL) = ${undone}::boolean)
     ORDER BY seq DESC LIMIT ${limit}`;
}

/** @param owner null for any member's action */
export async function actionRow(tx: Tx, owner: Owner | null, id: string): Promise<ActionRow | null> {
  const rows = await tx.$queryRaw<ActionRow[]>`
    SELECT ${columns} FROM change
     WHERE id = ${id}::uuid AND ${owner === null ? Prisma.sql`true` : ofOwner(owner)}`;
  return rows[0] ?? null;
}

/** The owner's last decision on a post that was not undone, locked. */
export async function lastDecisionRow(tx: Tx, owner: Owner, postId: number): Promise<StoredAction | null> {
  const rows = await tx.$queryRaw<StoredAction[]>`
    SELECT ${columns} FROM change
     WHERE id IN (SELECT change_id FROM change_item WHERE post_id = ${postId})
       AND kind = 'decision' AND undone_at IS NULL AND ${ofOwner(owner)}
     ORDER BY seq DESC LIMIT 1 FOR UPDATE`;
  return rows[0] ?? null;
}

export interface NewAction {
  id: string;
  session_id: string | null;
  kind: string;
  changed: number;
  details: object;
  before: object;
  /** Locked by the caller and not yet changed. */
  posts: readonly number[];
}

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

/** With the present reviews and queue entries of its posts. False when the id is taken. */
export async function insertAction(tx: Tx, owner: Owner, action: NewAction): Promise<boolean> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    WITH recorded AS (
      INSERT INTO change (id, member_id, api_key_id, session_id, kind, changed, details, before)
      VALUES (${action.id}::uuid, ${owner.member_id}, ${owner.key_id}::int, ${action.session_id}::uuid, ${action.kind},
              ${action.changed}, ${JSON.stringify(action.details)}::jsonb, ${JSON.stringify(action.before)}::jsonb)
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
       WHERE p.id = ANY (${action.posts}::int[])
    )
    SELECT id FROM recorded`;
  return rows.length === 1;
}

export async function lockRow(tx: Tx, id: string): Promise<{ undone_at: Date | null } | null> {
  const rows = await tx.$queryRaw<{ undone_at: Date | null }[]>`
    SELECT undone_at FROM change WHERE id = ${id}::uuid FOR UPDATE`;
  return rows[0] ?? null;
}

/**
 * @param undo null if another operation than the undo of actions did it
 * @returns false when it was undone before, or is unknown
 */
export async function markUndoneRow(tx: Tx, id: string, undo: object | null): Promise<boolean> {
  const marked = await tx.$executeRaw`
    UPDATE change SET undone_at = clock_timestamp(), undo = ${undo === null ? null : JSON.stringify(undo)}::jsonb
     WHERE id = ${id}::uuid AND undone_at IS NULL`;
  return marked === 1;
}

/** Keeps seven days. */
export async function pruneActionRows(): Promise<void> {
  await db.$executeRaw`
    DELETE FROM change WHERE id IN (
      SELECT id FROM change WHERE at < now() - interval '7 days' ORDER BY at LIMIT 10000)`;
  await db.$executeRaw`
    DELETE FROM action_preview WHERE id IN (
      SELECT id FROM action_preview WHERE expires_at < now() - interval '1 day' ORDER BY expires_at LIMIT 10000)`;
}

export interface PreviewKey {
  kind: string;
  /** SHA-256. */
  arguments: Uint8Array;
}

/** Stores a preview for its owner. @returns its token (`id`), valid for `minutes` */
export async function insertPreview(
  owner: Owner,
  key: PreviewKey,
  data: unknown,
  minutes: number,
): Promise<{ id: string; expires_at: Date }> {
  const rows = await db.$queryRaw<{ id: string; expires_at: Date }[]>`
    INSERT INTO action_preview (member_id, api_key_id, kind, arguments, data, expires_at)
    VALUES (${owner.member_id}, ${owner.key_id}::int, ${key.kind}, ${key.arguments}, ${JSON.stringify(data)}::jsonb,
            now() + ${minutes}::int * interval '1 minute')
    RETURNING id, expires_at`;
  return rows[0] as { id: string; expires_at: Date };
}

/** Locks the row: a concurrent call with the same token waits and then finds it used. */
export async function takePreview(
  tx: Tx,
  owner: Owner,
  token: string,
  key: PreviewKey,
): Promise<{ data: unknown } | null> {
  const rows = await tx.$queryRaw<{ data: unknown }[]>`
    UPDATE action_preview SET used_at = clock_timestamp()
     WHERE id = ${token}::uuid AND ${ofOwner(owner)} AND kind = ${key.kind} AND arguments = ${key.arguments}
       AND used_at IS NULL AND expires_at > now()
    RETURNING data`;
  return rows[0] ?? null;
}

export async function isPreviewUsed(tx: Tx, owner: Owner, token: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM action_preview WHERE id = ${token}::uuid AND ${ofOwner(owner)} AND used_at IS NOT NULL`;
  return rows.length > 0;
}
