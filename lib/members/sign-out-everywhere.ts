import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { db } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { memberLabel } from "./label.ts";
import { endSessions, lockMember } from "./sql.ts";

/** Ends every session of a member, the caller's own included. @throws ApiError `member_not_found` */
export async function signOutEverywhere(actor: Actor, memberId: number): Promise<void> {
  await db.$transaction(async (tx) => {
    const member = await lockMember(tx, memberId);
    if (member === null) throw new ApiError("member_not_found");
    await endSessions(tx, memberId);
    await recordAudit(tx, actor, { action: "member.sign_out", subject: memberLabel(member) });
  });
}
