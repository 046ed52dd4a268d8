import { db } from "#lib/db.ts";
import type { PatternType } from "./schema.ts";

export interface AuthorBlockRow {
  id: number;
  account_identifier: string;
  pattern_type: PatternType;
}

/** The listed patterns that meet one author. Asks every pattern: the list is short, and one author is looked at. */
export function authorBlockRows(authorKey: string): Promise<AuthorBlockRow[]> {
  return db.$queryRaw<AuthorBlockRow[]>`
    SELECT id, account_identifier, pattern_type FROM blocked_user
     WHERE user_pattern_matches(pattern_type, account_identifier, ${authorKey}) ORDER BY id`;
}

/** The open report that this author opts out, if there is one. */
export function openOptOutOf(authorKey: string): Promise<{ reason: string; reported_at: Date } | null> {
  return db.reported_opt_out.findFirst({
    where: { author_key: authorKey, resolved_at: null },
    select: { reason: true, reported_at: true },
  });
}
