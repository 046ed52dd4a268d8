import { toIso } from "#lib/clock.ts";
import type { BlockedUser } from "./schema.ts";
import { authorBlockRows, openOptOutOf } from "./author-blocks-sql.ts";

/** What keeps one author out: patterns of the block list, and an opt-out nobody has decided about. */
export interface AuthorBlocks {
  blocked_by: Pick<BlockedUser, "id" | "account_identifier" | "pattern_type">[];
  opt_out: { reason: string; reported_at: string } | null;
}

/**
 * What of the block lists meets an author now.
 * @param authorKey `user@host` in lower case
 */
export async function findAuthorBlocks(authorKey: string): Promise<AuthorBlocks> {
  const [blocked_by, report] = await Promise.all([authorBlockRows(authorKey), openOptOutOf(authorKey)]);
  return { blocked_by, opt_out: report && { reason: report.reason, reported_at: toIso(report.reported_at) } };
}
