import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { changeLists } from "#lib/filters/change-lists.ts";
import type { BlockChange } from "#lib/filters/changes-sql.ts";
import { closeOptOut, type OptOutResolution } from "./opt-outs-sql.ts";
import { insertBlockedUsers } from "#lib/filters/sql.ts";

/**
 * Decides about a reported opt-out. Dismissed: the author's posts are free again. Confirmed: the author is blocked
 * by name from then on, so posts that wait stay held, new ones are auto-rejected, and the decision can be seen and
 * taken back where all blocks are.
 * @returns false when no report about this author is open
 */
export async function resolveOptOut(
  actor: Actor,
  authorKey: string,
  resolution: OptOutResolution,
): Promise<boolean> {
  return changeLists(async (tx) => {
    const report = await closeOptOut(tx, authorKey, resolution);
    if (report === null) return { result: false, concerns: [] };
    const concerns: BlockChange[] = [{ kind: "opt_out", pattern_type: "exact", patterns: [authorKey] }];
    if (resolution === "confirmed") {
      const notes = `Opted out: ${report.reason}`;
      await insertBlockedUsers(tx, [{ account_identifier: authorKey, pattern_type: "exact", notes }]);
      // First the block, then the report: in between the posts are held twice, not free.
      concerns.unshift({ kind: "user", pattern_type: "exact", patterns: [authorKey] });
    }
    await recordAudit(tx, actor, {
      action: `opt_out.${resolution}`,
      subject: `@${authorKey}`,
      before: { ...report },
    });
    return { result: true, concerns };
  });
}
