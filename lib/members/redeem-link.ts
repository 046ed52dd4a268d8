import { hashPassword } from "#lib/auth/password.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { db, type Tx } from "#lib/db.ts";
import { memberLabel } from "./label.ts";
import { hashToken } from "./link-token.ts";
import { signedIn, SignInRefused, type SignedIn } from "./signed-in.ts";
import {
  endSessions,
  insertMember,
  lockMember,
  lockSetup,
  openLink,
  takeLink,
  type LinkKind,
  type MemberRow,
} from "./sql.ts";

/** What is filled in: for the first account all of it, for an invitation name and password, for a reset the password. */
export type LinkForm = { email?: string; name?: string; password: string };

/**
 * Uses a one-time link: makes the first account, makes an invited member, or sets a new password, and signs in.
 * Of two clicks at once one gets it; a link that leads to a refusal is not used up.
 * @param form checked by the schema's Email, MemberName and Password
 * @throws SignInRefused `LinkNotValid`, `MemberExists`, `InvalidInput`
 */
export async function redeemLink(kind: LinkKind, token: string, form: LinkForm): Promise<SignedIn> {
  const hash = hashToken(token);
  // Before the costly part, which nobody should have for a made-up token.
  if ((await openLink(kind, hash)) === null) throw new SignInRefused("LinkNotValid");
  const passwordHash = await hashPassword(form.password);
  const member = await db.$transaction((tx) => {
    if (kind === "setup") return setUp(tx, hash, form, passwordHash);
    if (kind === "invite") return join(tx, hash, form, passwordHash);
    return reset(tx, hash, passwordHash);
  });
  return signedIn(member);
}

async function setUp(tx: Tx, hash: Uint8Array, form: LinkForm, passwordHash: string): Promise<MemberRow> {
  // Several links may be open: one per start. The lock lets one of them through.
  await lockSetup(tx);
  const link = await takeLink(tx, "setup", hash);
  if (link === null || (await tx.member.count()) > 0) throw new SignInRefused("LinkNotValid");
  const { email, name } = form;
  if (email === undefined || name === undefined) throw new SignInRefused("InvalidInput");
  return enter(tx, { email, name, role: "admin", password_hash: passwordHash }, "member.create");
}

async function join(tx: Tx, hash: Uint8Array, form: LinkForm, passwordHash: string): Promise<MemberRow> {
  const link = await takeLink(tx, "invite", hash);
  if (link?.email == null || link.role === null) throw new SignInRefused("LinkNotValid");
  if (form.name === undefined) throw new SignInRefused("InvalidInput");
  return enter(
    tx,
    { email: link.email, name: form.name, role: link.role, password_hash: passwordHash },
    "member.join",
  );
}

async function enter(tx: Tx, values: Parameters<typeof insertMember>[1], action: string): Promise<MemberRow> {
  const member = await insertMember(tx, values);
  if (member === null) throw new SignInRefused("MemberExists");
  await recordAudit(tx, actorOf(member), {
    action,
    subject: memberLabel(member),
    after: { role: member.role },
  });
  return member;
}

async function reset(tx: Tx, hash: Uint8Array, passwordHash: string): Promise<MemberRow> {
  const link = await takeLink(tx, "reset", hash);
  const member = link?.member_id == null ? null : await lockMember(tx, link.member_id);
  if (member === null || member.disabled_at !== null) throw new SignInRefused("LinkNotValid");
  await tx.member.update({ where: { id: member.id }, data: { password_hash: passwordHash } });
  const sessionVersion = await endSessions(tx, member.id);
  await recordAudit(tx, actorOf(member), { action: "member.password", subject: memberLabel(member) });
  return { ...member, session_version: sessionVersion };
}

function actorOf(member: MemberRow) {
  return { label: member.name, member_id: member.id, key_id: null, source: "screen" } as const;
}
