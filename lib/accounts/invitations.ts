import { toIso } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import { ApiError } from "#lib/base/errors.ts";
import type { Role } from "#lib/base/http/permissions.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { recordAudit } from "./record-audit.ts";
import { queueInvitationMail } from "./send-mail.ts";
import { isMailSetUp } from "./transport.ts";
import { newLink } from "./links.ts";
import type { InvitationCreated } from "./member-schema.ts";
import { dropInvitations, insertLink, memberByEmail, openLinks } from "./member-sql.ts";

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
