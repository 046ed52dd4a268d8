import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { db } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { memberLabel } from "./label.ts";
import { getMember } from "./list-members.ts";
import type { Member, MemberUpdate } from "./schema.ts";
import { endSessions, lockAdmins, lockMember } from "./sql.ts";

/**
 * Changes name or role, disables or enables. Both act on the member's next request and on their keys' next
 * request, since every request asks the database. What changes nothing leaves no line in the log.
 * @throws ApiError `member_not_found`, `last_admin`
 */
export async function updateMember(actor: Actor, id: number, values: MemberUpdate): Promise<Member> {
  await db.$transaction(async (tx) => {
    const admins = values.role !== undefined || values.disabled === true ? await lockAdmins(tx) : [];
    const before = await lockMember(tx, id);
    if (before === null) throw new ApiError("member_not_found");
    const subject = memberLabel(before);
    const role = values.role ?? before.role;
    const disabled = values.disabled ?? before.disabled_at !== null;
    if (admins.length === 1 && admins[0] === id && (role !== "admin" || disabled)) {
      throw new ApiError("last_admin");
    }
    if (values.name !== undefined && values.name !== before.name) {
      await tx.member.update({ where: { id }, data: { name: values.name, updated_at: new Date() } });
      await recordAudit(tx, actor, {
        action: "member.rename",
        subject,
        before: { name: before.name },
        after: { name: values.name },
      });
    }
    if (role !== before.role) {
      await tx.member.update({ where: { id }, data: { role, updated_at: new Date() } });
      await recordAudit(tx, actor, {
        action: "member.role",
        subject,
        before: { role: before.role },
        after: { role },
      });
    }
    if (disabled !== (before.disabled_at !== null)) {
      const at = disabled ? new Date() : null;
      await tx.member.update({ where: { id }, data: { disabled_at: at, updated_at: new Date() } });
      // Or the old sessions would come back to life with the account.
      if (disabled) await endSessions(tx, id);
      await recordAudit(tx, actor, { action: disabled ? "member.disable" : "member.enable", subject });
    }
  });
  return getMember(id);
}
