import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { db, type Prisma, type Tx } from "#lib/db.ts";
import { ApiError, validationError } from "#lib/errors.ts";
import { jsonProblem } from "#lib/http/fields.ts";
import { getProfile } from "./get-profile.ts";
import { memberLabel } from "./label.ts";
import type { Profile, ProfileUpdate, Provider } from "./schema.ts";
import { allowedProviders } from "./serialize.ts";
import { lockMember, type MemberRow } from "./sql.ts";

/** All of a member's preferences together, in KiB. */
const LIMIT = 32;

/**
 * Changes what members decide about themselves. Preferences are merged by name, null takes one out.
 * @throws ApiError `validation`, `last_way_in`
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
    const problem = jsonProblem(preferences, LIMIT);
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
  // These two have fields of their own, which check them.
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
 * A service that is allowed joins the account at its next sign-in with the same verified e-mail; one that is
 * taken off the list loses its link. The link itself is the account's id over there, null until then.
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
