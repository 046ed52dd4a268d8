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
    SELECT ${columns} FROM action
     WHERE ${ofOwner(owner)} AND (${before}::bigint IS NULL OR seq < ${before}::bigint)
       AND (${session_id}::uuid IS NULL OR session_id = ${session_id}::uuid)
       AND (${undone}::boolean IS NULL OR (undone_at IS NOT NULL) = ${undone}::boolean)
     ORDER BY seq DESC LIMIT ${limit}`;
}

export async function actionRow(tx: Tx, owner: Owner, id: string): Promise<ActionRow | null> {
  const rows = await tx.$queryRaw<ActionRow[]>`
    SELECT ${columns} FROM action WHERE id = ${id}::uuid AND ${ofOwner(owner)}`;
  return rows[0] ?? null;
}

export interface NewAction {
  id: string;
  session_id: string | null;
  kind: string;
  changed: number;
  details: object;
  before: object;
}

/** False when the id is taken. */
export async function insertAction(tx: Tx, owner: Owner, action: NewAction): Promise<boolean> {
  const inserted = await tx.$executeRaw`
    INSERT INTO action (id, member_id, api_key_id, session_id, kind, changed, details, before)
    VALUES (${action.id}::uuid, ${owner.member_id}, ${owner.key_id}::int, ${action.session_id}::uuid, ${action.kind},
            ${action.changed}, ${JSON.stringify(action.details)}::jsonb, ${JSON.stringify(action.before)}::jsonb)
    ON CONFLICT (id) DO NOTHING`;
  return inserted === 1;
}

/**
 * @param undo null: by another operation than the undo of actions
 * @returns false when it was undone before, or is unknown
 */
export async function markUndoneRow(tx: Tx, id: string, undo: object | null): Promise<boolean> {
  const marked = await tx.$executeRaw`
    UPDATE action SET undone_at = clock_timestamp(), undo = ${undo === null ? null : JSON.stringify(undo)}::jsonb
     WHERE id = ${id}::uuid AND undone_at IS NULL`;
  return marked === 1;
}

/** Keeps seven days. */
export async function pruneActionRows(): Promise<void> {
  await db.$executeRaw`
    DELETE FROM action WHERE id IN (
      SELECT id FROM action WHERE at < now() - interval '7 days' ORDER BY at LIMIT 10000)`;
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
