import type { Tx } from "#lib/base/db.ts";
import { validationError, type ErrorCode } from "#lib/base/errors.ts";
import { foldHashtag } from "#lib/fediverse/hashtag.ts";
import type { HoldChange } from "#lib/queue/hold-changes.ts";
import type { Row, Stored, UserPattern } from "./block-rows.ts";
import {
  countHashtagMatches,
  countUserMatches,
  insertHashtags,
  insertUserPatterns,
  listedHashtags,
  listedUserPatterns,
} from "./block-lists-sql.ts";
import { rejectedAuthors, rejectedTags } from "./find-blocks-sql.ts";
import { hashtagReach, userReach, type Reach } from "./reach-sql.ts";
import type { BlockCreate, BlockKind } from "./schema.ts";
import { normaliseUserPattern, shownPattern, showUserPattern } from "./user-patterns.ts";

/* The two kinds of block lists, with everything that differs between them. */

export type { Reach };

interface Table<K extends BlockKind> {
  findMany(args: object): Promise<Row<K>[]>;
  count(): Promise<number>;
  findUnique(args: { where: { id: number } }): Promise<Row<K> | null>;
  deleteMany(args: { where: { id: number | { in: number[] } } }): Promise<{ count: number }>;
}

interface BlockList<K extends BlockKind> {
  table: (tx: Tx) => Table<K>;
  /**
   * @throws ApiError 422
   */
  normalise: (body: BlockCreate<K>) => Stored[K];
  /** @returns the new ones */
  insert: (tx: Tx, entries: Stored[K][]) => Promise<Row<K>[]>;
  keyOf: (entry: Stored[K]) => string;
  /** The subset that is on the list. */
  listed: (entries: Stored[K][]) => Promise<Stored[K][]>;
  countMatches: (ids: number[]) => Promise<Map<number, number>>;
  changesOf: (entries: Stored[K][]) => HoldChange[];
  /** Posts that entries would reach if they were listed. */
  reach: (tx: Tx, entries: Stored[K][]) => Promise<Reach>;
  /** Posts that were rejected when a removed entry was set, and that no filter rejects now. */
  rejectedWhenSet: (tx: Tx, entry: Stored[K]) => Promise<number[]>;
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
const MAX_SCANS = 8;

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
    changesOf: userChanges,
    reach: userReach,
    rejectedWhenSet: rejectedAuthors,
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
    changesOf: (entries) => [
      { pattern_type: "exact", patterns: entries.map((entry) => entry.hashtag_folded) },
    ],
    reach: hashtagReach,
    rejectedWhenSet: rejectedTags,
    shown: ({ hashtag, notes }) => ({ hashtag, notes }),
    audit: "blocked_hashtag",
    show: (entry) => `#${entry.hashtag}`,
    plural: "hashtags",
    exists: "hashtag_blocked_already",
    notFound: "blocked_hashtag_not_found",
  },
};

/** TypeScript cannot index the table by a type parameter. */
export function listOf<K extends BlockKind>(kind: K): BlockList<K> {
  return lists[kind];
}

/** Accounts are found by index in one change; each open pattern needs its own. */
function userChanges(patterns: UserPattern[]): HoldChange[] {
  const exact = patterns.filter((each) => each.pattern_type === "exact");
  const open = patterns.filter((each) => each.pattern_type !== "exact");
  if (open.length > MAX_SCANS) return [{ pattern_type: "any", patterns: [] }];
  const changes: HoldChange[] = open.map(({ pattern_type, account_identifier }) => ({
    pattern_type,
    patterns: [account_identifier],
  }));
  if (exact.length === 0) return changes;
  return [{ pattern_type: "exact", patterns: exact.map((each) => each.account_identifier) }, ...changes];
}
