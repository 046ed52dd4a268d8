import type { Actor } from "#lib/auth/principal.ts";
import { deleteSession, sessionsOf } from "#lib/auth/session-store.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { toIso } from "#lib/clock.ts";
import { db } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import type { Session } from "./schema.ts";
import { memberLabel } from "./serialize.ts";
import { lockMember } from "./sql.ts";

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
