import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { toIso } from "#lib/clock.ts";
import { db, type Tx } from "#lib/db.ts";
import { ApiError, validationError, type ErrorCode } from "#lib/errors.ts";
import { foldHashtag } from "#lib/fediverse/hashtag.ts";
import { csvLine } from "#lib/http/csv.ts";
import { MAX_ID } from "#lib/http/fields.ts";
import { changeBlockLists, type BlockChange } from "./block-changes.ts";
import {
  countHashtagMatches,
  countUserMatches,
  insertHashtags,
  insertUserPatterns,
  listedHashtags,
  listedUserPatterns,
} from "./block-lists-sql.ts";
import { readHashtagList, readUserList, type ReadList } from "./read-lists.ts";
import { blockCsvColumns, MOST_LISTED } from "./schema.ts";
import type {
  BlockCreate,
  BlockEntry,
  BlockKind,
  BlockListExport,
  BlockListQuery,
  ImportResult,
  StoredPatternType,
} from "./schema.ts";
import { normaliseUserPattern, shownPattern, showUserPattern } from "./user-patterns.ts";

export interface UserPattern {
  account_identifier: string;
  pattern_type: StoredPatternType;
  notes: string | null;
}

export interface HashtagEntry {
  hashtag: string;
  /** From `foldHashtag`; unique in the list. */
  hashtag_folded: string;
  notes: string | null;
}

interface Stored {
  user: UserPattern;
  hashtag: HashtagEntry;
}
export type Row<K extends BlockKind> = Stored[K] & { id: number; created_at: Date };

export interface InsertedRows<K extends BlockKind> {
  added: Row<K>[];
  /** Entries that a new one includes; deleted. */
  replaced: Row<K>[];
}

interface Table<K extends BlockKind> {
  findMany(args: object): Promise<Row<K>[]>;
  count(): Promise<number>;
  findUnique(args: { where: { id: number } }): Promise<Row<K> | null>;
  deleteMany(args: { where: { id: number } }): Promise<{ count: number }>;
}

interface BlockList<K extends BlockKind> {
  table: (tx: Tx) => Table<K>;
  /**
   * @throws ApiError 422
   */
  normalise: (body: BlockCreate<K>) => Stored[K];
  insert: (tx: Tx, entries: Stored[K][]) => Promise<InsertedRows<K>>;
  keyOf: (entry: Stored[K]) => string;
  /** The subset that is on the list. */
  listed: (entries: Stored[K][]) => Promise<Stored[K][]>;
  countMatches: (ids: number[]) => Promise<Map<number, number>>;
  readList: (text: string) => ReadList<Stored[K]>;
  changesOf: (entries: Stored[K][]) => BlockChange[];
  /** The entered fields, as the API shows them. */
  shown: (entry: Stored[K]) => Record<string, string | boolean | null>;
  /** Prefix of audit actions. */
  audit: string;
  /** In the audit log. */
  show: (entry: Stored[K]) => string;
  plural: string;
  exists: ErrorCode;
  notFound: ErrorCode;
}

/** From this many open patterns on, one scan over all authors is faster than one for each pattern. */
const MOST_SCANS = 8;

const lists: { [K in BlockKind]: BlockList<K> } = {
  user: {
    table: (tx) => tx.blocked_user as unknown as Table<"user">,
    normalise({ account_identifier, pattern_type, subdomains, notes = null }) {
      if (subdomains && pattern_type !== "suffix")
        throw validationError([{ path: "subdomains", message: "goes with the pattern_type suffix only" }]);
      const type = subdomains ? "domain" : pattern_type;
      const check = normaliseUserPattern(account_identifier, type);
      if (!check.ok) throw validationError([{ path: "account_identifier", message: check.reason }]);
      return { account_identifier: check.pattern, pattern_type: type, notes };
    },
    keyOf: (entry) => `${entry.account_identifier} ${entry.pattern_type}`,
    insert: insertUserPatterns,
    listed: listedUserPatterns,
    countMatches: countUserMatches,
    readList: readUserList,
    changesOf: userChanges,
    shown: (entry) => ({ ...shownPattern(entry), notes: entry.notes }),
    audit: "blocked_user",
    show: (entry) => showUserPattern(entry.account_identifier, entry.pattern_type),
    plural: "patterns",
    exists: "pattern_exists",
    notFound: "blocked_user_not_found",
  },
  hashtag: {
    table: (tx) => tx.blocked_hashtag,
    normalise: ({ hashtag, notes = null }) => ({ hashtag, hashtag_folded: foldHashtag(hashtag), notes }),
    keyOf: (entry) => entry.hashtag_folded,
    insert: insertHashtags,
    listed: listedHashtags,
    countMatches: countHashtagMatches,
    readList: readHashtagList,
    changesOf: (entries) => [
      { kind: "hashtag", pattern_type: "exact", patterns: entries.map((entry) => entry.hashtag_folded) },
    ],
    shown: ({ hashtag, notes }) => ({ hashtag, notes }),
    audit: "blocked_hashtag",
    show: (entry) => `#${entry.hashtag}`,
    plural: "hashtags",
    exists: "hashtag_blocked_already",
    notFound: "blocked_hashtag_not_found",
  },
};

/** TypeScript cannot index the table by a type parameter. */
function listOf<K extends BlockKind>(kind: K): BlockList<K> {
  return lists[kind];
}

/** In order of id. */
export async function listBlocks<K extends BlockKind>(
  kind: K,
  { skip = 0, limit = MOST_LISTED }: BlockListQuery = {},
): Promise<{ items: BlockEntry<K>[]; total: number }> {
  const { table, countMatches } = listOf(kind);
  const [rows, total] = await Promise.all([
    table(db).findMany({ orderBy: { id: "asc" }, skip: Math.min(skip, MAX_ID), take: limit }),
    table(db).count(),
  ]);
  const matches = await countMatches(rows.map((row) => row.id));
  return { items: rows.map((row) => serialise(kind, row, matches.get(row.id) ?? 0)), total };
}

/**
 * @throws ApiError 422; `pattern_exists` or `hashtag_blocked_already`
 */
export async function addBlock<K extends BlockKind>(
  kind: K,
  actor: Actor,
  body: BlockCreate<K>,
): Promise<BlockEntry<K>> {
  const list = listOf(kind);
  const entry = list.normalise(body);
  const row = await changeBlockLists(actor, async (tx) => {
    const [inserted] = (await list.insert(tx, [entry])).added;
    if (inserted === undefined) throw new ApiError(list.exists);
    await recordAudit(tx, actor, {
      action: `${list.audit}.create`,
      subject: list.show(entry),
      after: list.shown(entry),
    });
    return { result: inserted, changes: list.changesOf([entry]) };
  });
  return serialise(kind, row, (await list.countMatches([row.id])).get(row.id) ?? 0);
}

/**
 * @throws ApiError `blocked_user_not_found`, `blocked_hashtag_not_found`
 */
export async function removeBlock(kind: BlockKind, actor: Actor, id: number): Promise<void> {
  const list = listOf(kind);
  await changeBlockLists(actor, async (tx) => {
    const row = await list.table(tx).findUnique({ where: { id } });
    const { count } = await list.table(tx).deleteMany({ where: { id } });
    if (row === null || count === 0) throw new ApiError(list.notFound);
    await recordAudit(tx, actor, {
      action: `${list.audit}.delete`,
      subject: list.show(row),
      before: list.shown(row),
    });
    return { result: undefined, changes: list.changesOf([row]) };
  });
}

/** One transaction and one audit line. */
export async function importBlocks<K extends BlockKind>(
  kind: K,
  actor: Actor,
  text: string,
): Promise<ImportResult<K>> {
  const list = listOf(kind);
  const read = list.readList(text);
  const added = await changeBlockLists(actor, async (tx) => {
    const rows = read.entries.length === 0 ? [] : (await list.insert(tx, read.entries)).added;
    if (rows.length === 0) return { result: rows, changes: [] };
    await recordAudit(tx, actor, {
      action: `${list.audit}.import`,
      subject: `${rows.length} ${list.plural}`,
      after: { added: rows.length, existing: read.entries.length - rows.length },
    });
    return { result: rows, changes: list.changesOf(rows) };
  });
  return importResult(kind, read, added, false);
}

export async function previewImport<K extends BlockKind>(kind: K, text: string): Promise<ImportResult<K>> {
  const { readList, listed, keyOf } = listOf(kind);
  const read = readList(text);
  const known = new Set((await listed(read.entries)).map(keyOf));
  return importResult(
    kind,
    read,
    read.entries.filter((entry) => !known.has(keyOf(entry))),
    true,
  );
}

export async function* exportCsv(kind: BlockKind): AsyncGenerator<string, void> {
  const pageSize = 1_000;
  const columns = blockCsvColumns[kind];
  yield csvLine([...columns]);
  for (let after = 0; ;) {
    const where = { id: { gt: after } };
    const rows = await listOf(kind)
      .table(db)
      .findMany({ where, orderBy: { id: "asc" }, take: pageSize });
    const cells = rows.map(
      (row) => exported(kind, row) as unknown as Record<string, string | boolean | null>,
    );
    if (rows.length > 0) yield cells.map((row) => csvLine(columns.map((name) => row[name] ?? null))).join("");
    if (rows.length < pageSize) return;
    after = rows.at(-1)?.id ?? after;
  }
}

export async function exportBlockLists(): Promise<BlockListExport> {
  const all = async <K extends BlockKind>(kind: K) => {
    const rows = await listOf(kind)
      .table(db)
      .findMany({ orderBy: { id: "asc" } });
    return rows.map((row) => exported(kind, row));
  };
  const [blocked_users, blocked_hashtags] = await Promise.all([all("user"), all("hashtag")]);
  return { blocked_users, blocked_hashtags };
}

/** For use inside `changeBlockLists`. */
export async function insertBlockedAccount(tx: Tx, authorKey: string, notes: string): Promise<void> {
  await lists.user.insert(tx, [{ account_identifier: authorKey, pattern_type: "exact", notes }]);
}

/** Accounts are found by index in one change; each open pattern needs its own. */
function userChanges(patterns: UserPattern[]): BlockChange[] {
  const exact = patterns.filter((each) => each.pattern_type === "exact");
  const open = patterns.filter((each) => each.pattern_type !== "exact");
  if (open.length > MOST_SCANS) return [{ kind: "user", pattern_type: "any", patterns: [] }];
  const changes: BlockChange[] = open.map(({ pattern_type, account_identifier }) => ({
    kind: "user",
    pattern_type,
    patterns: [account_identifier],
  }));
  if (exact.length === 0) return changes;
  return [
    { kind: "user", pattern_type: "exact", patterns: exact.map((each) => each.account_identifier) },
    ...changes,
  ];
}

function exported<K extends BlockKind>(kind: K, row: Row<K>) {
  return {
    ...listOf(kind).shown(row),
    created_at: toIso(row.created_at),
  } as unknown as BlockListExport[`blocked_${K}s`][number];
}

function serialise<K extends BlockKind>(kind: K, row: Row<K>, matches: number): BlockEntry<K> {
  return { id: row.id, ...exported(kind, row), matches } as unknown as BlockEntry<K>;
}

function importResult<K extends BlockKind>(
  kind: K,
  { entries, ignored, unreadable }: ReadList<Stored[K]>,
  added: Stored[K][],
  dry_run: boolean,
): ImportResult<K> {
  return {
    dry_run,
    added: added.length,
    existing: entries.length - added.length,
    ignored,
    unreadable,
    entries: added.map((entry) => listOf(kind).shown(entry)),
  } as unknown as ImportResult<K>;
}
