import { Prisma, type Tx } from "#lib/db.ts";
import { isRenamed, renamed, type HandleChange } from "#lib/hosts/handle-changes.ts";
import type { BlockChange } from "./block-changes.ts";

interface CopiedRow {
  account_identifier: string;
  pattern_type: "exact" | "suffix" | "domain";
}

/**
 * Adds each blocked account, and a blocked host, under the new handle. The old entries stay: posts that are not renamed
 * yet need them.
 */
export async function copyBlocks(tx: Tx, change: HandleChange): Promise<BlockChange[]> {
  const column = Prisma.sql`account_identifier`;
  const rows = await tx.$queryRaw<CopiedRow[]>`
    INSERT INTO blocked_user (account_identifier, pattern_type, notes)
    SELECT CASE WHEN pattern_type = 'domain' THEN substr(${change.after}::text, 2) ELSE ${renamed(column, change)} END,
           pattern_type, notes
      FROM blocked_user
     WHERE (pattern_type = 'exact' AND ${isRenamed(column, change)})
        OR (pattern_type = 'suffix' AND account_identifier = ${change.before})
        OR (pattern_type = 'domain' AND '@' || account_identifier = ${change.before})
     ORDER BY 1
    ON CONFLICT (account_identifier, pattern_type) DO NOTHING
    RETURNING account_identifier, pattern_type`;
  const exact = rows.flatMap((row) => (row.pattern_type === "exact" ? row.account_identifier : []));
  const open = rows.filter((row) => row.pattern_type !== "exact");
  return [
    ...(exact.length === 0
      ? []
      : [{ kind: "user" as const, pattern_type: "exact" as const, patterns: exact }]),
    ...open.map(({ pattern_type, account_identifier }) => ({
      kind: "user" as const,
      pattern_type,
      patterns: [account_identifier],
    })),
  ];
}
