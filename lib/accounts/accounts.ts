import { toIso } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import { ApiError, validationError } from "#lib/base/errors.ts";
import { roleGrants, type Role } from "#lib/base/http/permissions.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { hashPassword, passwordProblem, passwordProblemTexts } from "./password.ts";
import { recordAudit } from "./record-audit.ts";
import { dropLinksMadeBy } from "./links.ts";
import type { Member, MemberCreate, MemberUpdate } from "./member-schema.ts";
import {
  dropInvitations,
  dropResetLinks,
  insertMember,
  lockAdmins,
  lockMember,
  memberLabel,
} from "./member-sql.ts";
import { endSessions } from "./session.ts";

export async function hasMembers(): Promise<boolean> {
  return (await db.member.findFirst({ select: { id: true } })) !== null;
}

/** The hash only tells whether there is a password. */
const memberColumns = {
  id: true,
  email: true,
  name: true,
  role: true,
  disabled_at: true,
  last_sign_in_at: true,
  password_hash: true,
  created_at: true,
} as const;

function serializeMember(row: {
  id: number;
  email: string;
  name: string;
  role: string;
  disabled_at: Date | null;
  last_sign_in_at: Date | null;
  password_hash: string | null;
  created_at: Date;
}): Member {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role as Role,
    disabled_at: toIso(row.disabled_at),
    last_sign_in_at: toIso(row.last_sign_in_at),
    has_password: row.password_hash !== null,
    created_at: toIso(row.created_at),
  };
}

export async function listMembers(): Promise<Member[]> {
  const rows = await db.member.findMany({ select: memberColumns, orderBy: { id: "asc" } });
  return rows.map(serializeMember);
}

/** For filters. Disabled members have decisions, too. */
export function memberNames(): Promise<{ id: number; name: string }[]> {
  return db.member.findMany({ select: { id: true, name: true }, orderBy: [{ name: "asc" }, { id: "asc" }] });
}

/**
 * @throws ApiError `member_not_found`
 */
async function getMember(id: number): Promise<Member> {
  const row = await db.member.findUnique({ where: { id }, select: memberColumns });
  if (row === null) throw new ApiError("member_not_found");
  return serializeMember(row);
}

/**
 * @throws ApiError `member_exists`, `validation`
 */
export async function createMember(actor: Actor, values: MemberCreate): Promise<Member> {
  const problem = await passwordProblem(values.password, values, null);
  if (problem !== null) throw validationError([{ path: "password", message: passwordProblemTexts[problem] }]);
  // Hashing is slow.
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

/**
 * Applies to the next request of the member and of their keys.
 *
 * @throws ApiError `member_not_found`, `last_admin`
 */
export async function updateMember(actor: Actor, id: number, values: MemberUpdate): Promise<Member> {
  await db.$transaction(async (tx) => {
    const admins = values.role !== undefined || values.disabled === true ? await lockAdmins(tx) : [];
    const before = await lockMember(tx, id);
    if (before === null) throw new ApiError("member_not_found");
    const subject = memberLabel(before);
    const role: Role = values.role ?? before.role;
    const disabled = values.disabled ?? before.disabled_at !== null;
    if (admins.length === 1 && admins[0] === id && (role !== "admin" || disabled)) {
      throw new ApiError("last_admin");
    }
    if (values.name !== undefined && values.name !== before.name) {
      await tx.member.update({ where: { id }, data: { name: values.name, updated_at: new Date() } });
      await recordAudit(tx, actor, {
        action: "member.rename",
        subject,
        before: { name: before.name },
        after: { name: values.name },
      });
    }
    if (role !== before.role) {
      await tx.member.update({ where: { id }, data: { role, updated_at: new Date() } });
      await recordAudit(tx, actor, {
        action: "member.role",
        subject,
        before: { role: before.role },
        after: { role },
      });
    }
    // A right that is given back later does not bring them back.
    if (disabled || !roleGrants(role, "manage")) await dropLinksMadeBy(tx, actor, id);
    if (disabled !== (before.disabled_at !== null)) {
      const at = disabled ? new Date() : null;
      await tx.member.update({ where: { id }, data: { disabled_at: at, updated_at: new Date() } });
      // Otherwise old sessions and links would be valid again after enabling.
      if (disabled) {
        await endSessions(tx, id);
        await dropResetLinks(tx, id);
      }
      await recordAudit(tx, actor, { action: disabled ? "member.disable" : "member.enable", subject });
    }
  });
  return getMember(id);
}

/**
 * The caller's own session included.
 *
 * @throws ApiError `member_not_found`
 */
export async function signOutEverywhere(actor: Actor, memberId: number): Promise<void> {
  await db.$transaction(async (tx) => {
    const member = await lockMember(tx, memberId);
    if (member === null) throw new ApiError("member_not_found");
    await endSessions(tx, memberId);
    await recordAudit(tx, actor, { action: "member.sign_out", subject: memberLabel(member) });
  });
}
