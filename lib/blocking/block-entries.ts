import { recordAudit } from "#lib/accounts/record-audit.ts";
import type { Tx } from "#lib/base/db.ts";
import { ApiError } from "#lib/base/errors.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import type { HoldChange } from "#lib/queue/hold-changes.ts";
import { listOf } from "./block-kinds.ts";
import type { Row, Stored } from "./block-rows.ts";
import type { BlockKind } from "./schema.ts";

/* Changes of the lists, for use inside `changeHolds`. */

export interface AddedEntries<K extends BlockKind> {
  rows: Row<K>[];
  changes: HoldChange[];
}

/**
 * @throws ApiError `pattern_exists`, `hashtag_blocked_already`
 */
export async function addEntry<K extends BlockKind>(
  tx: Tx,
  actor: Actor,
  kind: K,
  entry: Stored[K],
): Promise<{ row: Row<K>; changes: HoldChange[] }> {
  const list = listOf(kind);
  const [row] = await list.insert(tx, [entry]);
  if (row === undefined) throw new ApiError(list.exists);
  await recordAudit(tx, actor, {
    action: `${list.audit}.create`,
    subject: list.show(entry),
    after: list.shown(entry),
  });
  return { row, changes: list.changesOf([entry]) };
}

/** One audit line for all. */
export async function addEntries<K extends BlockKind>(
  tx: Tx,
  actor: Actor,
  kind: K,
  entries: Stored[K][],
): Promise<AddedEntries<K>> {
  const list = listOf(kind);
  const added = entries.length === 0 ? [] : await list.insert(tx, entries);
  if (added.length === 0) return { rows: [], changes: [] };
  await recordAudit(tx, actor, {
    action: `${list.audit}.import`,
    subject: `${added.length} ${list.plural}`,
    after: { added: added.length, existing: entries.length - added.length },
  });
  return { rows: added, changes: list.changesOf(added) };
}

/**
 * @throws ApiError `blocked_user_not_found`, `blocked_hashtag_not_found`
 */
export async function removeEntry<K extends BlockKind>(
  tx: Tx,
  actor: Actor,
  kind: K,
  id: number,
): Promise<{ row: Row<K>; changes: HoldChange[] }> {
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

/** Blocks an author who opted out. */
export async function insertBlockedAccount(tx: Tx, authorKey: string, notes: string): Promise<void> {
  await listOf("user").insert(tx, [{ account_identifier: authorKey, pattern_type: "exact", notes }]);
}
