import { isoTimes } from "#lib/base/clock.ts";
import { db, Prisma, type Tx } from "#lib/base/db.ts";
import type { Role } from "#lib/base/http/permissions.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import type { Link } from "./member-schema.ts";
import { recordAudit } from "./record-audit.ts";

const SETUP_LOCK = 5_711_100;

/** A member with secrets. It never leaves this folder. */
export type MemberRow = {
  id: number;
  email: string;
  name: string;
  role: Role;
  password_hash: string | null;
  session_version: number;
  disabled_at: Date | null;
  linked_accounts: Record<string, string | null>;
  preferences: Record<string, unknown>;
};

/** Name of a member in the audit log: `Name <address>`. */
export function memberLabel(member: { name: string; email: string }): string {
  return `${member.name} <${member.email}>`;
}

const columns = Prisma.sql`
  id, email, name, role, password_hash, session_version, disabled_at, linked_accounts, preferences`;

async function memberWhere(tx: Tx, condition: Prisma.Sql): Promise<MemberRow | null> {
  const rows = await tx.$queryRaw<MemberRow[]>`SELECT ${columns} FROM member WHERE ${condition}`;
  return rows[0] ?? null;
}

/** The member with an address in any letter case; null for none. */
export function memberByEmail(tx: Tx, email: string): Promise<MemberRow | null> {
  return memberWhere(tx, Prisma.sql`lower(email) = lower(${email})`);
}

/** The member who is linked to an account of a provider; null for none. */
export function memberByProvider(tx: Tx, provider: string, accountId: string): Promise<MemberRow | null> {
  return memberWhere(tx, Prisma.sql`linked_accounts ->> ${provider} = ${accountId} ORDER BY id LIMIT 1`);
}

/** Reads and locks a member; null for none. */
export function lockMember(tx: Tx, id: number): Promise<MemberRow | null> {
  return memberWhere(tx, Prisma.sql`id = ${id} FOR UPDATE`);
}

/** The member as actor of a change. */
export function actorOf(member: MemberRow): Actor {
  return { label: member.name, member_id: member.id, key_id: null, source: "screen" };
}

/**
 * Stores a member, with a line in the audit log. Null when the address is taken.
 *
 * @param maker null for a member who joins by a link
 */
export async function insertMember(
  tx: Tx,
  member: {
    email: string;
    name: string;
    role: Role;
    password_hash: string | null;
    linked_accounts?: Record<string, string>;
  },
  maker: Actor | null,
): Promise<MemberRow | null> {
  const [row] = await tx.$queryRaw<MemberRow[]>`
    INSERT INTO member (email, name, role, password_hash, linked_accounts)
    VALUES (${member.email}, ${member.name}, ${member.role}, ${member.password_hash},
            ${JSON.stringify(member.linked_accounts ?? {})}::jsonb)
    ON CONFLICT (lower(email)) DO NOTHING
    RETURNING ${columns}`;
  if (row === undefined) return null;
  await recordAudit(tx, maker ?? actorOf(row), {
    action: maker === null ? "member.join" : "member.create",
    subject: memberLabel(row),
    after: { role: row.role, ...member.linked_accounts },
  });
  return row;
}

/** Locks all active admins, so that two changes cannot each remove one of the last two. @returns their ids */
export async function lockAdmins(tx: Tx): Promise<number[]> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM member WHERE role = 'admin' AND disabled_at IS NULL ORDER BY id FOR UPDATE`;
  return rows.map((row) => row.id);
}

/** Lets one process make the first account at a time. */
export async function lockSetup(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${SETUP_LOCK})`;
}

export type LinkKind = "setup" | "invite" | "reset";

export type LinkRow = { email: string | null; role: Role | null; member_id: number | null };

/** Stores a link that expires after `hours`. */
export function insertLink(
  tx: Tx,
  { hours, ...link }: Omit<Prisma.invitationUncheckedCreateInput, "expires_at"> & { hours: number },
) {
  const created_at = new Date();
  const expires_at = new Date(created_at.getTime() + hours * 3_600_000);
  return tx.invitation.create({ data: { ...link, created_at, expires_at } });
}

/**
 * A link works while its maker has the right to make it. Without a maker it is the setup link, mailed on request, or made on the
 * command line.
 */
const makerMayInvite = Prisma.sql`
  (created_by IS NULL OR EXISTS (
    SELECT FROM member maker WHERE maker.id = created_by AND maker.disabled_at IS NULL
                               AND maker.role = 'admin'))`;
/** A mailed reset link ends when the member's address changes. */
const hasSameAddress = Prisma.sql`
  (kind <> 'reset' OR email IS NULL OR EXISTS (
    SELECT FROM member receiver WHERE receiver.id = member_id AND lower(receiver.email) = lower(invitation.email)))`;
/** A setup link works until the first account exists. Processes that start at the same time each print one. */
const precedesFirstMember = Prisma.sql`(kind <> 'setup' OR NOT EXISTS (SELECT FROM member))`;
const isOpen = Prisma.sql`
  used_at IS NULL AND expires_at > now() AND ${makerMayInvite} AND ${hasSameAddress} AND ${precedesFirstMember}`;
const hasToken = (tokenHash: Uint8Array) =>
  Prisma.sql`(token_hash = ${tokenHash} OR mail_token_hash = ${tokenHash})`;

type OpenLink = LinkRow & { name: string | null; password_hash: string | null };

/** A link that can be used, a reset link with its member; null for others. */
export async function openLink(kind: LinkKind, tokenHash: Uint8Array): Promise<OpenLink | null> {
  const rows = await db.$queryRaw<OpenLink[]>`
    SELECT coalesce(link.email, owner.email) AS email, link.role, link.member_id, owner.name, owner.password_hash
      FROM (SELECT * FROM invitation WHERE ${hasToken(tokenHash)} AND kind = ${kind} AND ${isOpen}) link
      LEFT JOIN member owner ON owner.id = link.member_id
     WHERE owner.disabled_at IS NULL`;
  return rows[0] ?? null;
}

async function takeWhere(tx: Tx, condition: Prisma.Sql): Promise<LinkRow | null> {
  const rows = await tx.$queryRaw<LinkRow[]>`
    UPDATE invitation SET used_at = now() WHERE ${condition} RETURNING email, role, member_id`;
  return rows[0] ?? null;
}

/** Marks a link as used. Null when it cannot be used; one of two concurrent calls succeeds. */
export function takeLink(tx: Tx, kind: LinkKind, tokenHash: Uint8Array): Promise<LinkRow | null> {
  return takeWhere(tx, Prisma.sql`${hasToken(tokenHash)} AND kind = ${kind} AND ${isOpen}`);
}

/** Marks the newest invitation of an address as used; null for none. */
export function takeInvitationOf(tx: Tx, email: string): Promise<LinkRow | null> {
  const newest = Prisma.sql`
    SELECT id FROM invitation WHERE lower(email) = lower(${email}) AND kind = 'invite' AND ${isOpen}
     ORDER BY id DESC LIMIT 1 FOR UPDATE SKIP LOCKED`;
  return takeWhere(tx, Prisma.sql`id = (${newest})`);
}

/** Stores the token of the mailed link of an invitation. Null when the invitation cannot be used. */
export async function setMailToken(
  id: number,
  tokenHash: Uint8Array,
): Promise<{ email: string; created_by: string | null } | null> {
  const rows = await db.$queryRaw<{ email: string; created_by: string | null }[]>`
    UPDATE invitation SET mail_token_hash = ${tokenHash} WHERE id = ${id} AND kind = 'invite' AND ${isOpen}
    RETURNING email, (SELECT name FROM member WHERE member.id = created_by) AS created_by`;
  return rows[0] ?? null;
}

/**
 * Deletes unused reset links of a member.
 *
 * @param mailedOnly keeps links that an admin or the command line made
 */
export async function dropResetLinks(tx: Tx, memberId: number, { mailedOnly = false } = {}): Promise<void> {
  const mailed = mailedOnly ? { email: { not: null } } : {};
  await tx.invitation.deleteMany({ where: { kind: "reset", member_id: memberId, used_at: null, ...mailed } });
}

/** Deletes unused invitations of an address. @param email in lower case, as all are stored */
export async function dropInvitations(tx: Tx, email: string): Promise<void> {
  await tx.invitation.deleteMany({ where: { kind: "invite", used_at: null, email } });
}

/** Invitations and reset links that can be used now, oldest first. */
export async function listLinks(): Promise<Link[]> {
  const rows = await db.$queryRaw<(Omit<Link, "expires_at"> & { expires_at: Date })[]>`
    SELECT link.id, coalesce(link.email, owner.email) AS email, owner.name, link.role, link.expires_at,
           -- Mailed reset links were requested by their owner.
           coalesce(creator.name, CASE WHEN link.kind = 'reset' AND link.email IS NOT NULL THEN owner.name END) AS created_by
      FROM (SELECT * FROM invitation WHERE kind IN ('invite', 'reset') AND ${isOpen}) link
      LEFT JOIN member owner ON owner.id = link.member_id
      LEFT JOIN member creator ON creator.id = link.created_by
     WHERE owner.disabled_at IS NULL
     ORDER BY link.id`;
  return rows.map(isoTimes);
}
