import { Prisma, type Tx } from "#lib/db.ts";
import { isRenamed, renamed, type HandleChange } from "#lib/hosts/handle-changes.ts";
import type { BlockChange } from "./block-changes.ts";

/**
 * Adds each blocked account, and a blocked host, under the new handle. The old entries stay: posts that are not renamed
 * yet need them.
 */
export async function copyBlocks(tx: Tx, change: HandleChange): Promise<BlockChange[]> {
  const column = Prisma.sql`account_identifier`;
  const rows = await tx.$queryRaw<{ account_identifier: string; pattern_type: "exact" | "suffix" }[]>`
    INSERT INTO blocked_user (account_identifier, pattern_type, notes)
    SELECT ${renamed(column, change)}, pattern_type, notes FROM blocked_user
     WHERE (pattern_type = 'exact' AND ${isRenamed(column, change)})
        OR (pattern_type = 'suffix' AND account_identifier = ${change.before})
     ORDER BY 1
    ON CONFLICT (account_identifier, pattern_type) DO NOTHING
    RETURNING account_identifier, pattern_type`;
  const of = (type: "exact" | "suffix") =>
    rows.flatMap((row) => (row.pattern_type === type ? row.account_identifier : []));
  return [
    ...(of("exact").length === 0
      ? []
      : [{ kind: "user" as const, pattern_type: "exact" as const, patterns: of("exact") }]),
    ...of("suffix").map((suffix) => ({
      kind: "user" as const,
      pattern_type: "suffix" as const,
      patterns: [suffix],
    })),
  ];
}
