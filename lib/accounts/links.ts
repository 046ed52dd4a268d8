import { createHash, randomBytes } from "node:crypto";
import { toIso } from "#lib/base/clock.ts";
import { db, type Tx } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { ApiError } from "#lib/base/errors.ts";
import type { Role } from "#lib/base/http/permissions.ts";
import { servicePrincipal, type Actor } from "#lib/base/http/principal.ts";
import { countKeysOf, revokeKeysOf } from "./api-keys.ts";
import type { ClientInfo } from "./client-info.ts";
import { isMailSetUp, queueInvitationMail, type Mail, type MailRow } from "./mail.ts";
import type { LinkForm } from "./member-schema.ts";
import {
  actorOf,
  dropInvitations,
  dropResetLinks,
  insertLink,
  insertMember,
  lockMember,
  lockSetup,
  memberByEmail,
  memberLabel,
  openLink,
  setMailToken,
  takeLink,
  type LinkKind,
  type MemberRow,
} from "./member-sql.ts";
import { hashPassword, passwordProblem } from "./password.ts";
import { recordAudit } from "./record-audit.ts";
import { endSessions } from "./session.ts";
import { recordSignIn, SignInRefused, type SignedIn } from "./sign-in.ts";

export { listLinks } from "./member-sql.ts";

const INVITATION_HOURS = 7 * 24;
const RESET_HOURS = 24;
const MAILED_RESET_HOURS = 1;
const pages: Record<LinkKind, string> = { setup: "/setup", invite: "/invitation", reset: "/reset" };

/** A new one-time link. Its token has 256 random bits; only the hash is stored. */
export function newLink(kind: LinkKind): { token_hash: Uint8Array<ArrayBuffer>; url: string } {
  const token = randomBytes(32).toString("base64url");
  return { token_hash: hashToken(token), url: `${env().PUBLIC_URL}${pages[kind]}?token=${token}` };
}

/** Hash of a token, so that a copy of the database opens no link. */
function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(token, "utf8").digest());
}

/**
 * Makes a reset link, valid for 24 hours. Ends the member's earlier ones.
 *
 * @throws member_not_found
 */
export async function createResetLink(
  actor: Actor,
  memberId: number,
): Promise<{ url: string; expires_at: string }> {
  return db.$transaction(async (tx) => {
    const member = await lockMember(tx, memberId);
    if (member === null) throw new ApiError("member_not_found");
    await dropResetLinks(tx, memberId);
    return insertResetLink(tx, actor, member, { hours: RESET_HOURS, created_by: actor.member_id });
  });
}

async function insertResetLink(
  tx: Tx,
  actor: Actor,
  member: MemberRow,
  more: { hours: number; created_by?: number | null; email?: string },
): Promise<{ url: string; expires_at: string }> {
  const { token_hash, url } = newLink("reset");
  await recordAudit(tx, actor, { action: "member.reset_link", subject: memberLabel(member) });
  const link = await insertLink(tx, { kind: "reset", token_hash, member_id: member.id, ...more });
  return { url, expires_at: toIso(link.expires_at) };
}

/** Fields that the page of a link shows. `api_keys`: number of active keys of the member, for a reset link. */
type LinkDetails = { email: string | null; role: Role | null; api_keys: number };

/** Details of a link that can be used; null for others. */
export async function readLink(kind: LinkKind, token: string): Promise<LinkDetails | null> {
  const link = await openLink(kind, hashToken(token));
  if (link === null) return null;
  const { email, role, member_id: member } = link;
  return { email, role, api_keys: member === null ? 0 : await countKeysOf(member) };
}

/**
 * Uses a link: makes an account or sets a password, and signs in. One of two concurrent requests succeeds. A refused request
 * leaves the link valid.
 *
 * @throws SignInRefused `LinkNotValid`, `MemberExists`, `InvalidInput`, `WeakPassword`, `SamePassword`
 */
export async function redeemLink(
  kind: LinkKind,
  token: string,
  form: LinkForm,
  client: ClientInfo,
): Promise<SignedIn> {
  const hash = hashToken(token);
  // Before hashing the password, which is slow, so that invented tokens cost nothing.
  const link = await openLink(kind, hash);
  if (link === null) throw new SignInRefused("LinkNotValid");
  const person = { email: link.email ?? form.email, name: link.name ?? form.name };
  const problem = await passwordProblem(form.password, person, link.password_hash);
  if (problem !== null) throw new SignInRefused(problem === "guessable" ? "WeakPassword" : "SamePassword");
  const passwordHash = await hashPassword(form.password);
  const member = await db.$transaction((tx) =>
    kind === "reset" ? resetPassword(tx, hash, form, passwordHash) : join(tx, kind, hash, form, passwordHash),
  );
  return recordSignIn(member, client);
}

async function join(
  tx: Tx,
  kind: "setup" | "invite",
  hash: Uint8Array,
  form: LinkForm,
  password_hash: string,
): Promise<MemberRow> {
  if (kind === "setup") await lockSetup(tx);
  const link = await takeLink(tx, kind, hash);
  if (link === null) throw new SignInRefused("LinkNotValid");
  const email = link.email ?? form.email;
  const { name } = form;
  if (email === undefined || name === undefined) throw new SignInRefused("InvalidInput");
  const role = link.role ?? "viewer";
  const member = await insertMember(tx, { email, name, role, password_hash }, null);
  if (member === null) throw new SignInRefused("MemberExists");
  return member;
}

async function resetPassword(
  tx: Tx,
  hash: Uint8Array,
  form: LinkForm,
  passwordHash: string,
): Promise<MemberRow> {
  const link = await takeLink(tx, "reset", hash);
  const member = link?.member_id == null ? null : await lockMember(tx, link.member_id);
  if (member === null || member.disabled_at !== null) throw new SignInRefused("LinkNotValid");
  const session_version = await setPassword(tx, actorOf(member), member, passwordHash, form.revoke_keys);
  return { ...member, session_version };
}

/**
 * Sets a password. Ends all sessions and reset links of the member; with `revokesKeys` also keys and links that the member
 * made.
 *
 * @returns the new version of the sessions
 */
export async function setPassword(
  tx: Tx,
  actor: Actor,
  member: MemberRow,
  password_hash: string,
  revokesKeys = false,
): Promise<number> {
  const { id } = member;
  await tx.member.update({ where: { id }, data: { password_hash } });
  await recordAudit(tx, actor, { action: "member.password", subject: memberLabel(member) });
  await dropResetLinks(tx, id);
  if (revokesKeys) {
    await revokeKeysOf(tx, actor, id);
    await dropLinks(tx, actor, { created_by: id });
  }
  return endSessions(tx, id);
}

/**
 * Invites an address, for 7 days. The link is shown only here; with a mail server, another one is mailed to the address. Ends
 * earlier invitations of the address.
 *
 * @throws member_exists
 */
export async function createInvitation(
  actor: Actor,
  values: { email: string; role: Role },
): Promise<{ url: string; mailed: boolean }> {
  const { token_hash, url } = newLink("invite");
  await db.$transaction(async (tx) => {
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
      hours: INVITATION_HOURS,
      ...values,
      created_by: actor.member_id,
    });
    if (isMailSetUp()) await queueInvitationMail(tx, link.id);
  });
  return { url, mailed: isMailSetUp() };
}

/**
 * Ends an invitation or a reset link.
 *
 * @throws link_not_found, also for a used link
 */
export async function revokeLink(actor: Actor, id: number): Promise<void> {
  await db.$transaction(async (tx) => {
    if ((await dropLinks(tx, actor, { id })) === 0) throw new ApiError("link_not_found");
  });
}

/**
 * Deletes links that were not used: one by its id, or all that a member made, who loses the right to make links or whose
 * account another person may have used.
 *
 * @returns their number
 */
export async function dropLinks(
  tx: Tx,
  actor: Actor,
  { id = null, created_by = null }: { id?: number | null; created_by?: number | null },
): Promise<number> {
  const rows = await tx.$queryRaw<{ kind: LinkKind; email: string; name: string | null }[]>`
    WITH gone AS (
      DELETE FROM invitation
       WHERE (id = ${id}::int OR created_by = ${created_by}::int) AND kind IN ('invite', 'reset') AND used_at IS NULL
      RETURNING *)
    SELECT gone.kind, coalesce(gone.email, owner.email) AS email, owner.name
      FROM gone LEFT JOIN member owner ON owner.id = gone.member_id ORDER BY gone.id`;
  for (const { kind, email, name } of rows)
    await recordAudit(tx, actor, {
      action: kind === "invite" ? "member.uninvite" : "member.reset_link_revoke",
      subject: kind === "invite" ? email : memberLabel({ name: name ?? "", email }),
    });
  return rows.length;
}

/** Mail of an invitation, with a link of its own. Null if the invitation was revoked, used or has expired. */
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

/**
 * Mail with a reset link, valid for an hour. Ends earlier mailed links, and leaves those that an admin made, because anybody
 * may ask for such a mail.
 *
 * @returns null if the address belongs to no active member
 */
export async function composeResetMail({ address }: MailRow): Promise<Mail | null> {
  const found = await db.$transaction(async (tx) => {
    const named = await memberByEmail(tx, address ?? "");
    const member = named && (await lockMember(tx, named.id));
    if (member === null || member.disabled_at !== null) return null;
    const { id, email } = member;
    await dropResetLinks(tx, id, { mailedOnly: true });
    const mailed = { hours: MAILED_RESET_HOURS, email };
    return { email, ...(await insertResetLink(tx, servicePrincipal, member, mailed)) };
  });
  if (found === null) return null;
  return {
    to: found.email,
    subject: "New password for Sluice",
    text: [
      `Someone asked for a new password for your account at ${env().PUBLIC_URL}.`,
      `Open this link and choose one. It is valid once, for an hour, and ends all your sessions:`,
      found.url,
      `If you did not ask for it, ignore this mail: your password stays as it is.`,
    ].join("\n\n"),
  };
}
