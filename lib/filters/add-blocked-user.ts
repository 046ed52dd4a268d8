import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { ApiError, validationError } from "#lib/errors.ts";
import { changeLists } from "./change-lists.ts";
import { normaliseUserPattern, showUserPattern } from "./normalise-user-pattern.ts";
import type { BlockedUser, BlockedUserCreate } from "./schema.ts";
import { serializeBlockedUser } from "./serialize.ts";
import { countUserMatches, insertBlockedUsers } from "./sql.ts";

/**
 * Blocks an account or a pattern of accounts: new posts are auto-rejected (if that is switched on), waiting ones are
 * held.
 * @throws ApiError 422 for an identifier that is none of its kind, `pattern_exists`
 */
export async function addBlockedUser(actor: Actor, body: BlockedUserCreate): Promise<BlockedUser> {
  const { pattern_type, notes = null } = body;
  const check = normaliseUserPattern(body.account_identifier, pattern_type);
  if (!check.ok) throw validationError([{ path: "account_identifier", message: check.reason }]);
  const account_identifier = check.pattern;
  const row = await changeLists(async (tx) => {
    const [inserted] = await insertBlockedUsers(tx, [{ account_identifier, pattern_type, notes }]);
    if (inserted === undefined) throw new ApiError("pattern_exists");
    await recordAudit(tx, actor, {
      action: "blocked_user.create",
      subject: showUserPattern(account_identifier, pattern_type),
      after: { account_identifier, pattern_type, notes },
    });
    return {
      result: inserted,
      concerns: [{ kind: "user", pattern_type, patterns: [account_identifier] }],
    };
  });
  return serializeBlockedUser(row, (await countUserMatches([row.id])).get(row.id) ?? 0);
}
