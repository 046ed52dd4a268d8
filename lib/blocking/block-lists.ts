import { recordAudit } from "#lib/accounts/record-audit.ts";
import { toIso } from "#lib/base/clock.ts";
import { db, Prisma, type Tx } from "#lib/base/db.ts";
import { ApiError, validationError, type ErrorCode } from "#lib/base/errors.ts";
import { csvLine } from "#lib/base/http/csv.ts";
import { MAX_ID } from "#lib/base/http/fields.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { foldHashtag } from "#lib/fediverse/hashtag.ts";
import type { HoldChange } from "#lib/queue/hold-changes.ts";
import { countMatches } from "./find-blocks.ts";
import type { BlockEntry, BlockCreate, BlockKind, BlockListQuery } from "./schema.ts";
import { normaliseUserPattern, shownPattern, showUserPattern, type Entry } from "./user-patterns.ts";

/* The rows of the two block lists, which have one shape here. What they do to posts is in find-blocks.ts and blocks.ts. */

export type Row = Entry & { id: number; created_at: Date };

/** Tables of the two lists: their columns as stored, and the same as fields of an `Entry`. */
const tables = {
  user: {
    name: Prisma.sql`blocked_user`,
    stored: Prisma.sql`account_identifier, pattern_type`,
    given: Prisma.sql`e.pattern, e.pattern_type`,
    read: Prisma.sql`id, account_identifier AS pattern, pattern_type, NULL AS written, notes, created_at`,
  },
  hashtag: {
    name: Prisma.sql`blocked_hashtag`,
    stored: Prisma.sql`hashtag_folded, hashtag`,
    given: Prisma.sql`e.pattern, e.written`,
    read: Prisma.sql`id, hashtag_folded AS pattern, 'exact' AS pattern_type, hashtag AS written, notes, created_at`,
  },
};

export const texts: Record<
  BlockKind,
  { audit: string; plural: string; exists: ErrorCode; notFound: ErrorCode }
> = {
  user: {
    audit: "blocked_user",
    plural: "patterns",
    exists: "pattern_exists",
    notFound: "blocked_user_not_found",
  },
  hashtag: {
    audit: "blocked_hashtag",
    plural: "hashtags",
    exists: "hashtag_blocked_already",
    notFound: "blocked_hashtag_not_found",
  },
};

/**
 * The entry of a request, in stored form.
 *
 * @throws validation
 */
export function entryOf(body: BlockCreate): Entry {
  const { notes = null } = body;
  if ("hashtag" in body)
    return { pattern: foldHashtag(body.hashtag), pattern_type: "exact", written: body.hashtag, notes };
  const { account_identifier, subdomains } = body;
  if (subdomains && body.pattern_type !== "suffix")
    throw validationError([{ path: "subdomains", message: "goes with the pattern_type suffix only" }]);
  const pattern_type = subdomains ? "domain" : body.pattern_type;
  const check = normaliseUserPattern(account_identifier, pattern_type);
  if (!check.ok) throw validationError([{ path: "account_identifier", message: check.reason }]);
  return { pattern: check.pattern, pattern_type, written: null, notes };
}

/** Name of an entry in the audit log: `@user@host`, `#hashtag`. */
export function nameOf({ pattern, pattern_type, written }: Entry): string {
  return written === null ? showUserPattern(pattern, pattern_type) : `#${written}`;
}

/** The fields that a person has entered, as the API shows them. */
export function shown(entry: Entry) {
  const { written, notes } = entry;
  return written === null ? { ...shownPattern(entry), notes } : { hashtag: written, notes };
}

/** From this many open patterns on, one scan over all authors is faster than one for each pattern. */
const MAX_SCANS = 8;

/** Accounts and hashtags are found by index in one change; each open pattern needs its own. */
function changesOf(entries: readonly Entry[]): HoldChange[] {
  const exact = entries.filter((each) => each.pattern_type === "exact");
  const open = entries.filter((each) => each.pattern_type !== "exact");
  if (open.length > MAX_SCANS) return [{ pattern_type: "any", patterns: [] }];
  return [
    ...(exact.length > 0
      ? [{ pattern_type: "exact" as const, patterns: exact.map(({ pattern }) => pattern) }]
      : []),
    ...open.map(({ pattern_type, pattern }) => ({ pattern_type, patterns: [pattern] })),
  ];
}

const given = (entries: readonly Entry[]) => Prisma.sql`
  jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) AS e (pattern text, pattern_type text, written text, notes text)`;

/** Those of these entries that are not on the list. */
export function unlisted(tx: Tx, kind: BlockKind, entries: readonly Entry[]): Promise<Entry[]> {
  const { name, read } = tables[kind];
  return tx.$queryRaw<Entry[]>`
    SELECT e.* FROM ${given(entries)}
     WHERE NOT EXISTS (SELECT FROM (SELECT ${read} FROM ${name}) b
                        WHERE b.pattern = e.pattern AND b.pattern_type = e.pattern_type)`;
}

/**
 * Inserts entries that are not on the list, sorted, so that concurrent imports cannot deadlock. One statement, because Prisma
 * would split a long list into many (docs/decisions/0006-block-changes-in-batches.md: 30 s instead of 3.6 s for 43 000 rows).
 */
function insertEntries(tx: Tx, kind: BlockKind, entries: readonly Entry[]): Promise<Row[]> {
  const table = tables[kind];
  return tx.$queryRaw<Row[]>`
    INSERT INTO ${table.name} (${table.stored}, notes)
    SELECT ${table.given}, e.notes FROM ${given(entries)} ORDER BY 1, 2
    ON CONFLICT DO NOTHING RETURNING ${table.read}`;
}

/* Changes of the lists, for use inside `changeHolds`. */

/**
 * Adds one entry, with a line in the audit log.
 *
 * @throws pattern_exists, hashtag_blocked_already
 */
export async function addEntry(
  tx: Tx,
  actor: Actor,
  kind: BlockKind,
  entry: Entry,
): Promise<{ row: Row; changes: HoldChange[] }> {
  const { audit, exists } = texts[kind];
  const [row] = await insertEntries(tx, kind, [entry]);
  if (row === undefined) throw new ApiError(exists);
  await recordAudit(tx, actor, { action: `${audit}.create`, subject: nameOf(entry), after: shown(entry) });
  return { row, changes: changesOf([entry]) };
}

/** Adds the entries that are not on the list, with one line in the audit log. */
export async function addEntries(
  tx: Tx,
  actor: Actor,
  kind: BlockKind,
  entries: readonly Entry[],
): Promise<{ rows: Row[]; changes: HoldChange[] }> {
  const { audit, plural } = texts[kind];
  const rows = await insertEntries(tx, kind, entries);
  if (rows.length > 0)
    await recordAudit(tx, actor, {
      action: `${audit}.import`,
      subject: `${rows.length} ${plural}`,
      after: { added: rows.length, existing: entries.length - rows.length },
    });
  return { rows, changes: changesOf(rows) };
}

/**
 * Removes one entry, with a line in the audit log.
 *
 * @throws blocked_user_not_found, blocked_hashtag_not_found
 */
export async function removeEntry(
  tx: Tx,
  actor: Actor,
  kind: BlockKind,
  id: number,
): Promise<{ row: Row; changes: HoldChange[] }> {
  const { name, read } = tables[kind];
  const { audit, notFound } = texts[kind];
  const [row] = await tx.$queryRaw<Row[]>`DELETE FROM ${name} WHERE id = ${id} RETURNING ${read}`;
  if (row === undefined) throw new ApiError(notFound);
  await recordAudit(tx, actor, { action: `${audit}.delete`, subject: nameOf(row), before: shown(row) });
  return { row, changes: changesOf([row]) };
}

/** Blocks an author who opted out, without a line in the audit log. */
export async function insertBlockedAccount(tx: Tx, authorKey: string, notes: string): Promise<void> {
  await insertEntries(tx, "user", [{ pattern: authorKey, pattern_type: "exact", written: null, notes }]);
}

const MAX_LISTED = 10_000;

/** Entries of a list in order of id, and the number of all. */
export async function listBlocks<K extends BlockKind>(
  kind: K,
  { skip = 0, limit = MAX_LISTED }: BlockListQuery = {},
): Promise<{ items: BlockEntry<K>[]; total: number }> {
  const { name, read } = tables[kind];
  const rows = await db.$queryRaw<Row[]>`
    SELECT ${read} FROM ${name} ORDER BY id OFFSET ${Math.min(skip, MAX_ID)} LIMIT ${limit}`;
  const [count] = await db.$queryRaw<{ total: number }[]>`SELECT count(*)::int AS total FROM ${name}`;
  return { items: await showEntries(kind, rows), total: count?.total ?? 0 };
}

/** Entries as the API shows them, with the number of posts that they match now. */
export async function showEntries<K extends BlockKind>(
  kind: K,
  rows: readonly Row[],
): Promise<BlockEntry<K>[]> {
  const matches = await countMatches(
    kind,
    rows.map(({ id }) => id),
  );
  return rows.map(
    (row) =>
      ({
        id: row.id,
        ...shown(row),
        created_at: toIso(row.created_at),
        matches: matches.get(row.id) ?? 0,
      }) as unknown as BlockEntry<K>,
  );
}

/**
 * The type of an entry, for the check of rights.
 *
 * @throws blocked_user_not_found
 */
export async function findBlockedUser(id: number): Promise<{ pattern_type: string }> {
  const row = await db.blocked_user.findUnique({ where: { id } });
  if (row === null) throw new ApiError("blocked_user_not_found");
  return row;
}

/**
 * Forms of the export: all entries, and the two lists that Mastodon imports. Notes are not in these, because Mastodon shows
 * the comment of a domain block to everybody. Blocked accounts have no header, as in Mastodon's own export: with a header
 * they would look like a list of followers.
 */
const forms = {
  all: {
    type: null,
    header: [["account_identifier", "pattern_type", "notes", "created_at", "subdomains"]],
    cells: (row: Row) => {
      const { account_identifier, pattern_type, subdomains } = shownPattern(row);
      return [account_identifier, pattern_type, row.notes, toIso(row.created_at), subdomains];
    },
  },
  /** For Mastodon's administration. Its personal import of blocked domains reads the first column. */
  domains: {
    type: "domain",
    header: [["#domain", "#severity", "#reject_media", "#reject_reports", "#public_comment", "#obfuscate"]],
    cells: ({ pattern }: Row) => [pattern, "suspend", false, false, "", false],
  },
  accounts: { type: "exact", header: [], cells: ({ pattern }: Row) => [pattern] },
};

/** Blocked users in order of id, as the lines of a CSV file. */
export async function blockedUsersCsv(form: keyof typeof forms = "all"): Promise<string> {
  const { type, header, cells } = forms[form];
  const rows = await db.$queryRaw<Row[]>`
    SELECT ${tables.user.read} FROM blocked_user WHERE pattern_type = coalesce(${type}, pattern_type) ORDER BY id`;
  return [...header, ...rows.map(cells)].map(csvLine).join("");
}
