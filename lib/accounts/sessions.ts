import { toIso } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import { ApiError } from "#lib/base/errors.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { deleteSession, sessionsOf } from "./session-store.ts";
import { recordAudit } from "./record-audit.ts";
import type { Session } from "./member-schema.ts";
import { memberLabel } from "./serialize-member.ts";
import { lockMember } from "./member-sql.ts";

/** Last used first. */
export async function listSessions(
  memberId: number,
  currentId: string | null,
): Promise<{ items: Session[]; total: number }> {
  const items = (await sessionsOf(memberId)).map((row) => ({
    id: row.id,
    current: row.id === currentId,
    browser: row.browser,
    address_prefix: row.address_prefix,
    created_at: toIso(row.created_at),
    last_used_at: toIso(row.last_used_at),
  }));
  return { items, total: items.length };
}

/**
 * Ends a session of the member; its token is refused from the next request on.
 *
 * @throws ApiError `session_not_found`
 */
export async function endSession(actor: Actor & { member_id: number }, id: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const member = await lockMember(tx, actor.member_id);
    if (member === null || (await deleteSession(tx, id, member.id)) === 0) {
      throw new ApiError("session_not_found");
    }
    await recordAudit(tx, actor, { action: "member.session_end", subject: memberLabel(member) });
  });
}
