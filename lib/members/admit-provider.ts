import { recordAudit } from "#lib/audit/record-audit.ts";
import { db, type Tx } from "#lib/db.ts";
import { memberLabel } from "./label.ts";
import { Email, MemberName, type Provider } from "./schema.ts";
import { signedIn, SignInRefused, type SignedIn } from "./signed-in.ts";
import {
  insertMember,
  lockMember,
  memberByEmail,
  memberByProvider,
  takeInvitationOf,
  type MemberRow,
} from "./sql.ts";

/** Who a service says somebody is. */
export type ProviderIdentity = {
  provider: Provider;
  account_id: string;
  email: string | null;
  email_verified: boolean;
  name: string | null;
};

/**
 * Lets in who signs in through GitHub or an OpenID provider: an account that is linked already; else a verified
 * e-mail that is a member's who allowed this service (or who has no password to protect), or that has an open
 * invitation. Nobody becomes a member without an invitation, and no password account is ever joined unasked.
 * @throws SignInRefused `Disabled`, `EmailNotVerified`, `NotAllowedYet`, `NotInvited`
 */
export async function admitProvider(identity: ProviderIdentity): Promise<SignedIn> {
  const member = await db.$transaction(async (tx) => {
    const linked = await memberByProvider(tx, identity.provider, identity.account_id);
    return linked ?? (await admitByEmail(tx, identity));
  });
  if (member.disabled_at !== null) throw new SignInRefused("Disabled");
  return signedIn(member);
}

async function admitByEmail(tx: Tx, identity: ProviderIdentity): Promise<MemberRow> {
  const email = Email.safeParse(identity.email ?? "");
  if (!email.success || !identity.email_verified) throw new SignInRefused("EmailNotVerified");
  const member = await memberByEmail(tx, email.data);
  return member === null ? joinByInvitation(tx, identity, email.data) : link(tx, identity, member.id);
}

async function link(tx: Tx, identity: ProviderIdentity, memberId: number): Promise<MemberRow> {
  const member = await lockMember(tx, memberId);
  if (member === null) throw new SignInRefused("NotInvited");
  if (member.disabled_at !== null) return member;
  const { provider, account_id: accountId } = identity;
  const known = member.linked_accounts[provider];
  const allowed = known === null || (known === undefined && member.password_hash === null);
  // `known` a string: another account over there now has this address. The address alone is no proof then.
  if (!allowed) throw new SignInRefused("NotAllowedYet");
  await tx.member.update({
    where: { id: member.id },
    data: { linked_accounts: { ...member.linked_accounts, [provider]: accountId } },
  });
  await recordAudit(tx, actorOf(member), {
    action: "member.link",
    subject: memberLabel(member),
    after: { provider, account_id: accountId },
  });
  return member;
}

async function joinByInvitation(tx: Tx, identity: ProviderIdentity, email: string): Promise<MemberRow> {
  const invitation = await takeInvitationOf(tx, email);
  if (invitation?.role == null) throw new SignInRefused("NotInvited");
  const { provider, account_id: accountId } = identity;
  const member = await insertMember(tx, {
    email,
    name: MemberName.safeParse(identity.name).data ?? (email.split("@")[0] ?? email).slice(0, 100),
    role: invitation.role,
    password_hash: null,
    linked_accounts: { [provider]: accountId },
  });
  // Joined by the link a moment ago; the next try finds a password account.
  if (member === null) throw new SignInRefused("NotAllowedYet");
  await recordAudit(tx, actorOf(member), {
    action: "member.join",
    subject: memberLabel(member),
    after: { role: member.role, provider },
  });
  return member;
}

function actorOf(member: MemberRow) {
  return { label: member.name, member_id: member.id, key_id: null, source: "screen" } as const;
}
