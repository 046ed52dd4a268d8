import { toIso } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import { authorBlockRows, postBlockRows, type PostBlocks } from "./find-blocks-sql.ts";
import type { BlockedUser } from "./schema.ts";
import { shownPattern } from "./user-patterns.ts";

export { findUnreviewedMatching, rejectedBySwitch, rejectionNow, rejectionOf } from "./find-blocks-sql.ts";
export { countSwitchReach } from "./reach-sql.ts";
export type { PostBlocks };

export interface AuthorBlocks {
  blocked_by: Pick<BlockedUser, "id" | "account_identifier" | "pattern_type" | "subdomains">[];
  opt_out: { reason: string; reported_at: string } | null;
}

/**
 * @param authorKey `user@host` in lower case
 */
export async function findAuthorBlocks(authorKey: string): Promise<AuthorBlocks> {
  const [blocks, report] = await Promise.all([
    authorBlockRows(db, authorKey),
    db.reported_opt_out.findFirst({
      where: { author_key: authorKey, resolved_at: null },
      select: { reason: true, reported_at: true },
    }),
  ]);
  const blocked_by = blocks.map(({ id, ...pattern }) => ({ id, ...shownPattern(pattern) }));
  return { blocked_by, opt_out: report && { reason: report.reason, reported_at: toIso(report.reported_at) } };
}

export async function findPostBlocks(ids: number[]): Promise<Map<number, PostBlocks>> {
  const rows = ids.length === 0 ? [] : await postBlockRows(ids);
  return new Map(rows.map(({ id, ...blocks }) => [id, blocks]));
}
