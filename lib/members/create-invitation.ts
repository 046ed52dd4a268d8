import type { Actor } from "#lib/auth/principal.ts";
import type { Role } from "#lib/auth/permissions.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { toIso } from "#lib/clock.ts";
import { db } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { newLink } from "./link-token.ts";
import type { InvitationCreated } from "./schema.ts";
import { dropInvitations, insertLink, memberByEmail } from "./sql.ts";

const DAYS = 7;

/**
 * Makes a one-time link by which somebody becomes a member with this role. The link is shown this once; inviting
 * the same address again makes a new one and ends the old.
 * @throws ApiError `member_exists`
 */
export async function createInvitation(
  actor: Actor,
  values: { email: string; role: Role },
): Promise<InvitationCreated> {
  const { token_hash, url } = newLink("invite");
  const row = await db.$transaction(async (tx) => {
    if ((await memberByEmail(tx, values.email)) !== null) throw new ApiError("member_exists");
    await dropInvitations(tx, values.email);
    await recordAudit(tx, actor, {
      action: "member.invite",
      subject: values.email,
      after: { role: values.role },
    });
    return insertLink(tx, {
      kind: "invite",
      token_hash,
      hours: DAYS * 24,
      ...values,
      created_by: actor.member_id,
    });
  });
  return {
    id: row.id,
    email: values.email,
    role: values.role,
    created_by: actor.label,
    created_at: toIso(row.created_at),
    expires_at: toIso(row.expires_at),
    url,
  };
}
