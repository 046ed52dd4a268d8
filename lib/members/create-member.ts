import { hashPassword } from "#lib/auth/password.ts";
import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { db } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { memberLabel } from "./label.ts";
import { getMember } from "./list-members.ts";
import type { Member, MemberCreate } from "./schema.ts";
import { dropInvitations, insertMember } from "./sql.ts";

/**
 * Adds a member with a password.
 * @param values as the schema `MemberCreate` leaves them: address in lower case, password by the rules
 * @throws ApiError `member_exists`
 */
export async function createMember(actor: Actor, values: MemberCreate): Promise<Member> {
  // Hashed outside of the transaction: it takes longer than all the rest.
  const passwordHash = await hashPassword(values.password);
  const id = await db.$transaction(async (tx) => {
    const row = await insertMember(tx, { ...values, password_hash: passwordHash });
    if (row === null) throw new ApiError("member_exists");
    await dropInvitations(tx, row.email);
    await recordAudit(tx, actor, {
      action: "member.create",
      subject: memberLabel(row),
      after: { role: row.role },
    });
    return row.id;
  });
  return getMember(id);
}
