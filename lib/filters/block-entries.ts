import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import type { Tx } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import type { BlockChange } from "./block-changes.ts";
import { listOf } from "./block-kinds.ts";
import type { Row, Stored } from "./block-rows.ts";
import { insertRowsAgain } from "./block-lists-sql.ts";
import type { BlockKind } from "./schema.ts";

/* Changes of the lists, for use inside `changeBlockLists`. */

export interface AddedEntries<K extends BlockKind> {
  rows: Row<K>[];
  /** Entries that a new one includes; no longer listed. */
  replaced: Row<K>[];
  changes: BlockChange[];
}

/**
 * @throws ApiError `pattern_exists`, `hashtag_blocked_already`
 */
export async function addEntry<K extends BlockKind>(
  tx: Tx,
  actor: Actor,
  kind: K,
  entry: Stored[K],
): Promise<AddedEntries<K> & { row: Row<K> }> {
  const list = listOf(kind);
  const { added, replaced } = await list.insert(tx, [entry]);
  const [row] = added;
  if (row === undefined) throw new ApiError(list.exists);
  await recordAudit(tx, actor, {
    action: `${list.audit}.create`,
    subject: list.show(entry),
    after: list.shown(entry),
  });
  return { row, rows: added, replaced, changes: list.changesOf([entry]) };
}

/** One audit line for all. */
export async function addEntries<K extends BlockKind>(
  tx: Tx,
  actor: Actor,
  kind: K,
  entries: Stored[K][],
): Promise<AddedEntries<K>> {
  const list = listOf(kind);
  const { added, replaced } =
    entries.length === 0 ? { added: [], replaced: [] } : await list.insert(tx, entries);
  if (added.length === 0) return { rows: [], replaced, changes: [] };
  await recordAudit(tx, actor, {
    action: `${list.audit}.import`,
    subject: `${added.length} ${list.plural}`,
    after: { added: added.length, existing: entries.length - added.length },
  });
  return { rows: added, replaced, changes: list.changesOf(added) };
}

/**
 * @throws ApiError `blocked_user_not_found`, `blocked_hashtag_not_found`
 */
export async function removeEntry<K extends BlockKind>(
  tx: Tx,
  actor: Actor,
  kind: K,
  id: number,
): Promise<{ row: Row<K>; changes: BlockChange[] }> {
  const list = listOf(kind);
  const row = await list.table(tx).findUnique({ where: { id } });
  const { count } = await list.table(tx).deleteMany({ where: { id } });
  if (row === null || count === 0) throw new ApiError(list.notFound);
  await recordAudit(tx, actor, {
    action: `${list.audit}.delete`,
    subject: list.show(row),
    before: list.shown(row),
  });
  return { row, changes: list.changesOf([row]) };
}

/** Undo of an addition. */
export async function takeOutEntries<K extends BlockKind>(
  tx: Tx,
  actor: Actor,
  kind: K,
  ids: number[],
  replaced: Row<K>[],
): Promise<{ removed: Row<K>[]; changes: BlockChange[] }> {
  const list = listOf(kind);
  const removed = await list.table(tx).findMany({ where: { id: { in: ids } }, orderBy: { id: "asc" } });
  await list.table(tx).deleteMany({ where: { id: { in: removed.map((row) => row.id) } } });
  if (removed.length > 0) await insertRowsAgain(tx, kind, replaced);
  await recordAudit(tx, actor, {
    action: `${list.audit}.undo`,
    subject: removed.length === 1 && removed[0] ? list.show(removed[0]) : `${removed.length} ${list.plural}`,
    before: { added: removed.length },
  });
  return { removed, changes: removed.length === 0 ? [] : list.changesOf(removed) };
}

/** Undo of a removal; nothing when the same entry is listed again. */
export async function putBackEntry<K extends BlockKind>(
  tx: Tx,
  actor: Actor,
  kind: K,
  row: Row<K>,
): Promise<{ restored: boolean; changes: BlockChange[] }> {
  const list = listOf(kind);
  if ((await insertRowsAgain(tx, kind, [row])) === 0) return { restored: false, changes: [] };
  await recordAudit(tx, actor, {
    action: `${list.audit}.create`,
    subject: list.show(row),
    after: list.shown(row),
  });
  return { restored: true, changes: list.changesOf([row]) };
}

/**
 * Blocks an author who opted out.
 *
 * @returns ids of the new entries; none when the same entry is listed
 */
export async function insertBlockedAccount(tx: Tx, authorKey: string, notes: string): Promise<number[]> {
  const entry = { account_identifier: authorKey, pattern_type: "exact", notes } as const;
  const { added } = await listOf("user").insert(tx, [entry]);
  return added.map(({ id }) => id);
}
