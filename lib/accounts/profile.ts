import { db, type Prisma, type Tx } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { ApiError, validationError } from "#lib/base/errors.ts";
import { jsonProblem } from "#lib/base/http/fields.ts";
import type { Role } from "#lib/base/http/permissions.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { clientInfoOf, type HeaderReader } from "./client-info.ts";
import { setPassword } from "./links.ts";
import {
  providers,
  type PasswordChange,
  type Profile,
  type ProfileUpdate,
  type Provider,
} from "./member-schema.ts";
import { lockMember, memberLabel, type MemberRow } from "./member-sql.ts";
import { hashPassword, isPassword, passwordProblem, passwordProblemTexts } from "./password.ts";
import { recordAudit } from "./record-audit.ts";
import { insertSession } from "./session.ts";
import { accountHash, clientAddress, noteFailedSignIn, slowDown } from "./sign-in-throttle.ts";

/** Limit of all preferences of a member together. */
const MAX_PREFERENCES_KIB = 32;

/** Time zone and theme, which are stored among the preferences. Default: TIME_ZONE and the theme of the system. */
export function shownPreferences({
  time_zone,
  theme,
}: Record<string, unknown>): Pick<Profile, "time_zone" | "theme"> {
  return {
    time_zone: typeof time_zone === "string" ? time_zone : env().TIME_ZONE,
    theme: theme === "light" || theme === "dark" ? theme : "system",
  };
}

/** `GET /profile`. */
export async function getProfile(memberId: number): Promise<Profile> {
  const row = await db.member.findUniqueOrThrow({ where: { id: memberId } });
  const { time_zone: _zone, theme: _theme, ...preferences } = row.preferences as Record<string, unknown>;
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role as Role,
    ...shownPreferences(row.preferences as Record<string, unknown>),
    preferences,
    has_password: row.password_hash !== null,
    sign_in_with: allowedProviders(row.linked_accounts),
  };
}

/** Services through which a member may sign in, in a fixed order. */
function allowedProviders(linked: unknown): Provider[] {
  return providers.filter((provider) => Object.hasOwn(linked as object, provider));
}

/**
 * Changes the profile of the caller. Preferences are merged by name; null removes one.
 *
 * @throws validation, last_way_in
 */
export async function updateProfile(
  actor: Actor & { member_id: number },
  values: ProfileUpdate,
): Promise<Profile> {
  const id = actor.member_id;
  await db.$transaction(async (tx) => {
    const before = await lockMember(tx, id);
    if (before === null) throw new ApiError("member_not_found");
    const preferences = mergePreferences(before.preferences, values);
    const problem = jsonProblem(preferences, MAX_PREFERENCES_KIB);
    if (problem !== null) throw validationError([{ path: "preferences", message: problem }]);
    await tx.member.update({
      where: { id },
      data: {
        name: values.name ?? before.name,
        preferences: preferences as Prisma.InputJsonObject,
        updated_at: new Date(),
      },
    });
    if (values.name !== undefined && values.name !== before.name) {
      await recordAudit(tx, actor, {
        action: "member.rename",
        subject: memberLabel(before),
        before: { name: before.name },
        after: { name: values.name },
      });
    }
    if (values.sign_in_with !== undefined) await allowProviders(tx, actor, before, values.sign_in_with);
  });
  return getProfile(id);
}

function mergePreferences(before: Record<string, unknown>, values: ProfileUpdate): Record<string, unknown> {
  const { time_zone: timeZone, theme } = values;
  // time_zone and theme have their own validated fields.
  const named = Object.entries(values.preferences ?? {}).filter(
    ([name]) => !/^(time_zone|theme)$/.test(name),
  );
  const changed = {
    ...Object.fromEntries(named),
    ...(timeZone === undefined ? {} : { time_zone: timeZone }),
    ...(theme === undefined ? {} : { theme: theme === "system" ? null : theme }),
  };
  return Object.fromEntries(Object.entries({ ...before, ...changed }).filter(([, value]) => value !== null));
}

/**
 * Sets the services through which a member may sign in. A new one is linked at the next sign-in with the same verified e-mail
 * (`linked_accounts` has null until then); a removed one loses its link.
 */
async function allowProviders(tx: Tx, actor: Actor, before: MemberRow, wanted: Provider[]): Promise<void> {
  const had = allowedProviders(before.linked_accounts);
  if (had.length === wanted.length && had.every((provider) => wanted.includes(provider))) return;
  if (wanted.length === 0 && before.password_hash === null) throw new ApiError("last_way_in");
  const linked = Object.fromEntries(
    wanted.map((provider) => [provider, before.linked_accounts[provider] ?? null]),
  );
  await tx.member.update({ where: { id: before.id }, data: { linked_accounts: linked } });
  await recordAudit(tx, actor, {
    action: "member.providers",
    subject: memberLabel(before),
    before: { sign_in_with: had },
    after: { sign_in_with: wanted },
  });
}

/**
 * Changes the password of the caller. Ends all sessions of the member and starts one for this browser. Wrong current passwords
 * are slowed like sign-in attempts, counted by session.
 *
 * @param headers of the request
 * @returns the id of the new session
 * @throws wrong_password, validation, busy
 */
export async function changePassword(
  actor: Actor & { member_id: number },
  sessionId: string | null,
  values: PasswordChange,
  headers: HeaderReader,
): Promise<string> {
  const id = actor.member_id;
  const known = await db.member.findUniqueOrThrow({
    where: { id },
    select: { id: true, email: true, name: true, password_hash: true },
  });
  if (known.password_hash !== null) {
    const attempt = await slowDown(accountHash(known.email), clientAddress(headers), sessionId);
    if (attempt.refused) throw new ApiError("busy", {}, { headers: { "Retry-After": "10" } });
    if (!(await isPassword(known.password_hash, values.current_password ?? ""))) {
      await noteFailedSignIn({ member: known, way: "password change", client: clientInfoOf(headers) });
      throw new ApiError("wrong_password");
    }
    await attempt.succeeded();
  }
  const problem = await passwordProblem(values.new_password, known, known.password_hash);
  if (problem !== null)
    throw validationError([{ path: "new_password", message: passwordProblemTexts[problem] }]);
  const passwordHash = await hashPassword(values.new_password);
  return db.$transaction(async (tx) => {
    const member = await lockMember(tx, id);
    // Another request has changed the password, and this one was checked against the old one.
    if (member === null || member.password_hash !== known.password_hash) throw new ApiError("wrong_password");
    await setPassword(tx, actor, member, passwordHash, values.revoke_keys);
    return insertSession(tx, id, clientInfoOf(headers));
  });
}
