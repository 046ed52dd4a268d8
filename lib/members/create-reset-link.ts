import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { toIso } from "#lib/clock.ts";
import { db } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { memberLabel } from "./label.ts";
import { newLink } from "./link-token.ts";
import type { ResetLink } from "./schema.ts";
import { insertLink, lockMember } from "./sql.ts";

const HOURS = 24;

/**
 * Makes a one-time link by which a member sets a new password; it ends the links made before. For an admin, or
 * the operator at the command line.
 * @throws ApiError `member_not_found`
 */
export async function createResetLink(actor: Actor, memberId: number): Promise<ResetLink> {
  const { token_hash, url } = newLink("reset");
  const row = await db.$transaction(async (tx) => {
    const member = await lockMember(tx, memberId);
    if (member === null) throw new ApiError("member_not_found");
    await tx.invitation.deleteMany({ where: { kind: "reset", member_id: memberId, used_at: null } });
    await recordAudit(tx, actor, { action: "member.reset_link", subject: memberLabel(member) });
    return insertLink(tx, {
      kind: "reset",
      token_hash,
      hours: HOURS,
      member_id: memberId,
      created_by: actor.member_id,
    });
  });
  return { url, expires_at: toIso(row.expires_at) };
}
