import { env } from "#lib/base/env.ts";
import type { MailRow } from "./send-mail.ts";
import type { Mail } from "./transport.ts";
import { createMailedReset, newLink } from "./links.ts";
import { setMailToken } from "./member-sql.ts";

/** With a link of its own. Null if the invitation was revoked, used or has expired. */
export async function composeInvitationMail({ invitation_id }: MailRow): Promise<Mail | null> {
  const { token_hash, url } = newLink("invite");
  const invitation = await setMailToken(invitation_id ?? 0, token_hash);
  if (invitation === null) return null;
  const { email, created_by } = invitation;
  return {
    to: email,
    subject: "Invitation to Sluice",
    text: [
      `${created_by ?? "An admin"} invites you to Sluice at ${env().PUBLIC_URL}.`,
      `Open this link and choose a password. It is valid once, for 7 days from the invitation:`,
      url,
    ].join("\n\n"),
  };
}

/** Null if the address belongs to no active member. */
export async function composeResetMail({ address }: MailRow): Promise<Mail | null> {
  const reset = await createMailedReset(address ?? "");
  if (reset === null) return null;
  return {
    to: reset.email,
    subject: "New password for Sluice",
    text: [
      `Someone asked for a new password for your account at ${env().PUBLIC_URL}.`,
      `Open this link and choose one. It is valid once, for an hour, and ends all your sessions:`,
      reset.url,
      `If you did not ask for it, ignore this mail: your password stays as it is.`,
    ].join("\n\n"),
  };
}
