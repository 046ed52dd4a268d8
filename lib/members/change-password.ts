import { hashPassword, isPassword } from "#lib/auth/password.ts";
import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { slowDown } from "#lib/auth/slow-down.ts";
import { db } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { memberLabel } from "./label.ts";
import type { PasswordChange } from "./schema.ts";
import { endSessions, lockMember } from "./sql.ts";

/**
 * Sets a member's own password and ends all their sessions. Guessing the current one by a session that was left
 * open is slowed like signing in.
 * @param address where the request comes from, see clientAddress
 * @returns the generation of sessions that counts from now on
 * @throws ApiError `wrong_password`, `busy`
 */
export async function changePassword(
  actor: Actor & { member_id: number },
  values: PasswordChange,
  address: string | null,
): Promise<{ id: number; session_version: number }> {
  const id = actor.member_id;
  const known = await db.member.findUniqueOrThrow({
    where: { id },
    select: { email: true, password_hash: true },
  });
  if (known.password_hash !== null) {
    const attempt = await slowDown(known.email, address);
    if (attempt.refused) throw new ApiError("busy", {}, { headers: { "Retry-After": "10" } });
    if (!(await isPassword(known.password_hash, values.current_password ?? ""))) {
      throw new ApiError("wrong_password");
    }
    await attempt.succeeded();
  }
  const passwordHash = await hashPassword(values.new_password);
  return db.$transaction(async (tx) => {
    const member = await lockMember(tx, id);
    // Changed meanwhile by somebody who knew it too: this one was judged by the old one.
    if (member === null || member.password_hash !== known.password_hash) throw new ApiError("wrong_password");
    await tx.member.update({ where: { id }, data: { password_hash: passwordHash } });
    await recordAudit(tx, actor, { action: "member.password", subject: memberLabel(member) });
    return { id, session_version: await endSessions(tx, id) };
  });
}
