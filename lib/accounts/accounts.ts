import { toIso } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import { ApiError, validationError } from "#lib/base/errors.ts";
import { roleGrants, type Role } from "#lib/base/http/permissions.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { hashPassword, passwordProblem, passwordProblemTexts } from "./password.ts";
import { recordAudit } from "./record-audit.ts";
import { dropLinks } from "./links.ts";
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

/** Whether any account exists. */
export async function hasMembers(): Promise<boolean> {
  return (await db.member.findFirst({ select: { id: true } })) !== null;
}

/** All members in order of id. */
export async function listMembers(): Promise<Member[]> {
  const rows = await db.member.findMany({ orderBy: { id: "asc" } });
  return rows.map(({ id, email, name, role, disabled_at, last_sign_in_at, password_hash: hash }) => ({
    id,
    email,
    name,
    role: role as Role,
    disabled_at: toIso(disabled_at),
    last_sign_in_at: toIso(last_sign_in_at),
    has_password: hash !== null,
  }));
}

/** Names for filters by reviewer, also of disabled members, who have decisions. */
export function memberNames(): Promise<{ id: number; name: string }[]> {
  return db.member.findMany({ select: { id: true, name: true }, orderBy: [{ name: "asc" }, { id: "asc" }] });
}

/**
 * Makes an account with a password. Ends open invitations of the address.
 *
 * @throws member_exists, validation
 */
export async function createMember(
  actor: Actor,
  { email, name, role, password }: MemberCreate,
): Promise<Pick<Member, "id" | "email" | "name" | "role">> {
  const problem = await passwordProblem(password, { email, name }, null);
  if (problem !== null) throw validationError([{ path: "password", message: passwordProblemTexts[problem] }]);
  // Before the transaction, because hashing is slow.
  const password_hash = await hashPassword(password);
  return db.$transaction(async (tx) => {
    const row = await insertMember(tx, { email, name, role, password_hash }, actor);
    if (row === null) throw new ApiError("member_exists");
    await dropInvitations(tx, email);
    return { id: row.id, email, name, role };
  });
}

/**
 * Changes role or access of a member. Takes effect on the next request of the member and of their keys.
 *
 * @throws member_not_found, last_admin
 */
export async function updateMember(
  actor: Actor,
  id: number,
  values: MemberUpdate,
): Promise<Pick<Member, "name" | "role"> & { disabled: boolean }> {
  return db.$transaction(async (tx) => {
    const admins = await lockAdmins(tx);
    const before = await lockMember(tx, id);
    if (before === null) throw new ApiError("member_not_found");
    const { name } = before;
    const subject = memberLabel(before);
    const wasDisabled = before.disabled_at !== null;
    const { role = before.role, disabled = wasDisabled } = values;
    if (admins.length === 1 && admins[0] === id && (role !== "admin" || disabled)) {
      throw new ApiError("last_admin");
    }
    const disabled_at = disabled ? (before.disabled_at ?? new Date()) : null;
    await tx.member.update({ where: { id }, data: { role, disabled_at, updated_at: new Date() } });
    if (role !== before.role) {
      const change = { before: { role: before.role }, after: { role } };
      await recordAudit(tx, actor, { action: "member.role", subject, ...change });
    }
    // Links of a member without the right are deleted, so that they do not work again if the right comes back.
    if (disabled || !roleGrants(role, "manage")) await dropLinks(tx, actor, { created_by: id });
    if (disabled !== wasDisabled) {
      // Otherwise old sessions and links would be valid again after enabling.
      if (disabled) {
        await endSessions(tx, id);
        await dropResetLinks(tx, id);
      }
      await recordAudit(tx, actor, { action: disabled ? "member.disable" : "member.enable", subject });
    }
    return { name, role, disabled };
  });
}

/**
 * Ends all sessions of a member, also the caller's own.
 *
 * @throws member_not_found
 */
export async function signOutEverywhere(actor: Actor, memberId: number): Promise<void> {
  await db.$transaction(async (tx) => {
    const member = await lockMember(tx, memberId);
    if (member === null) throw new ApiError("member_not_found");
    await endSessions(tx, memberId);
    await recordAudit(tx, actor, { action: "member.sign_out", subject: memberLabel(member) });
  });
}
