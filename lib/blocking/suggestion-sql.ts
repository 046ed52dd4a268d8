import type { Tx } from "#lib/db.ts";
import type { BlockKind } from "#lib/filters/schema.ts";

export interface NewSuggestion {
  kind: BlockKind;
  /** In stored form. */
  target: string;
  name: string;
  reason: string;
  post_id: number | null;
  suggested_by: string;
  member_id: number;
}

export interface SuggestionRow extends NewSuggestion {
  id: number;
  created_at: Date;
}

/** Null when it does not exist. Locked: a deletion waits, and then removes the reason of the suggestion too. */
export async function lockPost(tx: Tx, id: number): Promise<{ erased: boolean } | null> {
  const rows = await tx.$queryRaw<{ erased: boolean }[]>`
    SELECT erased_at IS NOT NULL AS erased FROM post WHERE id = ${id}::int FOR SHARE`;
  return rows[0] ?? null;
}

/** Null when one of the same target is open. */
export async function insertSuggestion(tx: Tx, row: NewSuggestion): Promise<SuggestionRow | null> {
  const rows = await tx.$queryRaw<SuggestionRow[]>`
    INSERT INTO block_suggestion (kind, target, name, reason, post_id, suggested_by, member_id)
    VALUES (${row.kind}, ${row.target}, ${row.name}, ${row.reason}, ${row.post_id}::int, ${row.suggested_by}, ${row.member_id}::int)
    ON CONFLICT (kind, target) WHERE resolved_at IS NULL DO NOTHING
    RETURNING id, kind, target, name, reason, post_id, suggested_by, member_id, created_at`;
  return rows[0] ?? null;
}

export async function acceptRows(tx: Tx, kind: BlockKind, targets: string[]): Promise<number[]> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    UPDATE block_suggestion SET resolved_at = now(), resolution = 'accepted'
     WHERE kind = ${kind} AND target = ANY (${targets}::text[]) AND resolved_at IS NULL
    RETURNING id`;
  return rows.map((row) => row.id);
}

/** @returns false when it is resolved or was removed */
export async function deleteOpenRow(tx: Tx, id: number): Promise<boolean> {
  const { count } = await tx.block_suggestion.deleteMany({ where: { id, resolved_at: null } });
  return count > 0;
}

/** Dismissed ones whose target has no open suggestion. */
export async function reopenableRows(tx: Tx, ids: number[]): Promise<number[]> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM block_suggestion s
     WHERE id = ANY (${ids}::int[]) AND resolution = 'dismissed'
       AND NOT EXISTS (SELECT FROM block_suggestion o
                        WHERE o.kind = s.kind AND o.target = s.target AND o.resolved_at IS NULL)`;
  return rows.map((row) => row.id);
}

/** @returns ids of the reopened ones */
export async function reopenRows(tx: Tx, ids: number[]): Promise<number[]> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    UPDATE block_suggestion s SET resolved_at = NULL, resolution = NULL
     WHERE id = ANY (${ids}::int[])
       AND NOT EXISTS (SELECT FROM block_suggestion o
                        WHERE o.kind = s.kind AND o.target = s.target AND o.resolved_at IS NULL)
    RETURNING id`;
  return rows.map((row) => row.id);
}
