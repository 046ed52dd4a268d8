import { toIso } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import { ApiError } from "#lib/base/errors.ts";
import { csvLine } from "#lib/base/http/csv.ts";
import { MAX_ID } from "#lib/base/http/fields.ts";
import { listOf } from "./block-kinds.ts";
import type { Row, UserPattern } from "./block-rows.ts";
import type { ReadList } from "./read-lists.ts";
import { MAX_LISTED, userCsvColumns } from "./schema.ts";
import type { BlockEntry, BlockKind, BlockListQuery, UserImportResult } from "./schema.ts";
import { shownPattern } from "./user-patterns.ts";

/** In order of id. */
export async function listBlocks<K extends BlockKind>(
  kind: K,
  { skip = 0, limit = MAX_LISTED }: BlockListQuery = {},
): Promise<{ items: BlockEntry<K>[]; total: number }> {
  const { table, countMatches } = listOf(kind);
  const [rows, total] = await Promise.all([
    table(db).findMany({ orderBy: { id: "asc" }, skip: Math.min(skip, MAX_ID), take: limit }),
    table(db).count(),
  ]);
  const matches = await countMatches(rows.map((row) => row.id));
  return { items: rows.map((row) => serialise(kind, row, matches.get(row.id) ?? 0)), total };
}

/** @throws ApiError `blocked_user_not_found` */
export async function findBlockedUser(id: number): Promise<Row<"user">> {
  const row = await listOf("user").table(db).findUnique({ where: { id } });
  if (row === null) throw new ApiError("blocked_user_not_found");
  return row;
}

/** An entry with its present matches. */
export async function showEntry<K extends BlockKind>(kind: K, row: Row<K>): Promise<BlockEntry<K>> {
  const matches = await listOf(kind).countMatches([row.id]);
  return serialise(kind, row, matches.get(row.id) ?? 0);
}

export async function* exportCsv(): AsyncGenerator<string, void> {
  const pageSize = 1_000;
  yield csvLine([...userCsvColumns]);
  for (let after = 0; ;) {
    const rows = await db.blocked_user.findMany({
      where: { id: { gt: after } },
      orderBy: { id: "asc" },
      take: pageSize,
    });
    const cells = rows.map((row) => exported("user", row as Row<"user">));
    if (rows.length > 0) yield cells.map((row) => csvLine(userCsvColumns.map((name) => row[name]))).join("");
    if (rows.length < pageSize) return;
    after = rows.at(-1)?.id ?? after;
  }
}

function exported<K extends BlockKind>(kind: K, row: Row<K>) {
  return {
    ...listOf(kind).shown(row),
    created_at: toIso(row.created_at),
  } as unknown as Omit<BlockEntry<K>, "id" | "matches">;
}

function serialise<K extends BlockKind>(kind: K, row: Row<K>, matches: number): BlockEntry<K> {
  return { id: row.id, ...exported(kind, row), matches } as unknown as BlockEntry<K>;
}

export function importResult(
  { entries, ignored, limited, unreadable }: ReadList,
  added: UserPattern[],
  reach: { held: number; rejected: number; dry_run: boolean; as_of?: string },
): UserImportResult {
  return {
    ...reach,
    added: added.length,
    existing: entries.length - added.length,
    ignored,
    limited,
    unreadable,
    entries: added.map((entry) => ({ ...shownPattern(entry), notes: entry.notes })),
  };
}
