import type { Actor } from "#lib/auth/principal.ts";
import type { Role } from "#lib/auth/permissions.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { toIso } from "#lib/clock.ts";
import { db } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { queueInvitationMail } from "#lib/mail/send-mail.ts";
import { isMailSetUp } from "#lib/mail/transport.ts";
import { newLink } from "./links.ts";
import type { InvitationCreated } from "./schema.ts";
import { dropInvitations, insertLink, memberByEmail, openLinks } from "./sql.ts";

const DAYS = 7;

/**
 * The link is shown only here. With a mail server, another one is mailed to the address. A new invitation replaces the old one of the address.
 *
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
    const link = await insertLink(tx, {
      kind: "invite",
      token_hash,
      hours: DAYS * 24,
      ...values,
      created_by: actor.member_id,
    });
    if (isMailSetUp()) await queueInvitationMail(tx, link.id);
    return link;
  });
  return {
    id: row.id,
    email: values.email,
    role: values.role,
    created_by: actor.label,
    created_at: toIso(row.created_at),
    expires_at: toIso(row.expires_at),
    url,
    mailed: isMailSetUp(),
  };
}

/** Open invitations. */
export async function countInvitations(): Promise<number> {
  return (await openLinks(db)).filter(({ kind }) => kind === "invite").length;
}
