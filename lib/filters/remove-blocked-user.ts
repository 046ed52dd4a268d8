import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { ApiError } from "#lib/errors.ts";
import { changeLists } from "./change-lists.ts";
import { showUserPattern } from "./normalise-user-pattern.ts";
import { deleteBlockedUser } from "./sql.ts";

/**
 * Takes a pattern off the list; waiting posts that no other pattern meets can be handed out again. What was
 * auto-rejected stays rejected.
 * @throws ApiError `blocked_user_not_found`
 */
export async function removeBlockedUser(actor: Actor, id: number): Promise<void> {
  await changeLists(async (tx) => {
    const row = await deleteBlockedUser(tx, id);
    if (row === null) throw new ApiError("blocked_user_not_found");
    const { account_identifier, pattern_type, notes } = row;
    await recordAudit(tx, actor, {
      action: "blocked_user.delete",
      subject: showUserPattern(account_identifier, pattern_type),
      before: { account_identifier, pattern_type, notes },
    });
    return {
      result: undefined,
      concerns: [{ kind: "user", pattern_type, patterns: [account_identifier] }],
    };
  });
}
