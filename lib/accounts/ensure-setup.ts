import { db, type Tx } from "#lib/base/db.ts";
import { env, SettingsError } from "#lib/base/env.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { hashPassword, passwordProblem, passwordProblemTexts } from "./password.ts";
import { newLink } from "./links.ts";
import { Email, Password } from "./member-schema.ts";
import { insertLink, insertMember, lockSetup } from "./member-sql.ts";

const HOURS = 7 * 24;

export interface Setup {
  /** The one-time link for the operator, or null. */
  setup_url: string | null;
  /** E-mail address of the account that was created now, or null. */
  created: string | null;
}

/**
 * Without any account, creates one from ADMIN_EMAIL and ADMIN_PASSWORD, or a one-time setup link. Runs at every
 * start and never changes an account.
 *
 * @throws SettingsError when ADMIN_EMAIL or ADMIN_PASSWORD is not valid
 */
export async function ensureSetup(): Promise<Setup> {
  const none = { setup_url: null, created: null };
  if ((await db.member.count()) > 0) return none;
  const admin = await administrator();
  return db.$transaction(async (tx) => {
    await lockSetup(tx);
    if ((await tx.member.count()) > 0) return none;
    if (admin === null) return { ...none, setup_url: await makeLink(tx) };
    const name = admin.email.split("@")[0]?.slice(0, 100) || "Administrator";
    const row = await insertMember(tx, { ...admin, name, role: "admin" }, servicePrincipal);
    if (row === null) return none;
    return { ...none, created: row.email };
  });
}

async function administrator(): Promise<{ email: string; password_hash: string } | null> {
  const { ADMIN_EMAIL, ADMIN_PASSWORD } = env();
  if (ADMIN_EMAIL === undefined || ADMIN_PASSWORD === undefined) return null;
  const email = Email.safeParse(ADMIN_EMAIL);
  const password = Password.safeParse(ADMIN_PASSWORD);
  const problems = [
    ...(email.success ? [] : [`ADMIN_EMAIL ${email.error.issues[0]?.message ?? ""}.`]),
    ...(password.success ? [] : [`ADMIN_PASSWORD ${password.error.issues[0]?.message ?? ""}.`]),
  ];
  if (!email.success || !password.success) throw new SettingsError(problems);
  const problem = await passwordProblem(password.data, { email: email.data }, null);
  if (problem !== null) throw new SettingsError([`ADMIN_PASSWORD ${passwordProblemTexts[problem]}.`]);
  return { email: email.data, password_hash: await hashPassword(password.data) };
}

/** Makes a setup link. Earlier ones stay valid, because two processes that start at the same time each print their own. */
async function makeLink(tx: Tx): Promise<string> {
  await tx.invitation.deleteMany({ where: { kind: "setup", expires_at: { lt: new Date() } } });
  const { token_hash, url } = newLink("setup");
  await insertLink(tx, { kind: "setup", role: "admin", token_hash, hours: HOURS });
  return url;
}
