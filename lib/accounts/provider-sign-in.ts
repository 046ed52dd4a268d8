import type { Profile } from "next-auth";
import { z } from "zod";
import { db, type Tx } from "#lib/base/db.ts";
import type { ClientInfo } from "./client-info.ts";
import { recordAudit } from "./record-audit.ts";
import { noteFailedSignIn } from "./sign-in-throttle.ts";
import { Email, MemberName, type Provider } from "./member-schema.ts";
import { recordSignIn, SignInRefused, type SignedIn } from "./sign-in.ts";
import {
  actorOf,
  insertMember,
  lockMember,
  memberByEmail,
  memberByProvider,
  memberLabel,
  takeInvitationOf,
  type MemberRow,
} from "./member-sql.ts";

export type ProviderIdentity = {
  provider: Provider;
  account_id: string;
  email: string | null;
  email_verified: boolean;
  name: string | null;
};

/**
 * Signs in through another service: by a linked account, else by a verified e-mail of a member who has allowed this service (or
 * has no password), or of an open invitation.
 *
 * @throws SignInRefused `Disabled`, `EmailNotVerified`, `NotAllowedYet`, `NotInvited`
 */
export async function admitProvider(identity: ProviderIdentity, client: ClientInfo): Promise<SignedIn> {
  try {
    const member = await db.$transaction(
      async (tx) =>
        (await memberByProvider(tx, identity.provider, identity.account_id)) ??
        (await findByEmail(tx, identity)),
    );
    if (member.disabled_at !== null) throw new SignInRefused("Disabled");
    return await recordSignIn(member, client);
  } catch (error) {
    if (error instanceof SignInRefused)
      await noteFailedSignIn({ member: null, way: identity.provider, client });
    throw error;
  }
}

async function findByEmail(tx: Tx, identity: ProviderIdentity): Promise<MemberRow> {
  const email = Email.safeParse(identity.email ?? "");
  if (!email.success || !identity.email_verified) throw new SignInRefused("EmailNotVerified");
  const member = await memberByEmail(tx, email.data);
  return member === null ? joinByInvitation(tx, identity, email.data) : linkAccount(tx, identity, member.id);
}

async function linkAccount(tx: Tx, identity: ProviderIdentity, memberId: number): Promise<MemberRow> {
  const member = await lockMember(tx, memberId);
  if (member === null) throw new SignInRefused("NotInvited");
  if (member.disabled_at !== null) return member;
  const { provider, account_id: accountId } = identity;
  const known = member.linked_accounts[provider];
  const allowed = known === null || (known === undefined && member.password_hash === null);
  // A string is the id of another account, which had this address before: the address proves nothing.
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
  const joining = {
    email,
    name: MemberName.safeParse(identity.name).data ?? (email.split("@")[0] ?? email).slice(0, 100),
    role: invitation.role,
    password_hash: null,
    linked_accounts: { [identity.provider]: identity.account_id },
  };
  const member = await insertMember(tx, joining, null);
  // The link was used at the same time; the next attempt finds a password account.
  if (member === null) throw new SignInRefused("NotAllowedYet");
  return member;
}

const User = z.looseObject({ id: z.number(), login: z.string(), name: z.string().nullish() });
const Emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/**
 * Reads profile and e-mail of a GitHub account. next-auth's own request does not say whether the e-mail is verified.
 *
 * @throws Error for an unexpected answer (docs.github.com/rest/users/emails)
 */
export async function readGithubUser(accessToken: string): Promise<Profile> {
  const user = User.parse(await getJson("/user", accessToken));
  const emails = Emails.parse(await getJson("/user/emails", accessToken));
  const primary = emails.find((each) => each.primary);
  // next-auth accepts null, its type does not.
  return { ...user, email: primary?.email, email_verified: primary?.verified ?? false } as Profile;
}

async function getJson(path: string, accessToken: string): Promise<unknown> {
  const response = await fetch(`https://api.github.com${path}`, {
    headers: { authorization: `Bearer ${accessToken}`, accept: "application/vnd.github+json" },
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`GitHub answered ${response.status} to ${path}`);
  return response.json();
}
