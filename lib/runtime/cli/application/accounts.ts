import { randomBytes } from "node:crypto";
import { createMember } from "#lib/accounts/accounts.ts";
import { createResetLink } from "#lib/accounts/links.ts";
import { MemberCreate } from "#lib/accounts/member-schema.ts";
import { db } from "#lib/base/db.ts";
import type { Role } from "#lib/base/http/permissions.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";
import { type ApplicationCommand, parseOptions, type Reply } from "./reply.ts";

export const accountCommands: Record<string, ApplicationCommand> = {
  "create-account": createAccount,
  "reset-password": async ({ values: { email = "" } }) => {
    const member = await findMember(email);
    const link = await createResetLink(servicePrincipal, member.id);
    return { data: link, lines: [`One-time link, valid until ${link.expires_at}: ${link.url}`] };
  },
};

async function createAccount(...[{ values }, input]: Parameters<ApplicationCommand>): Promise<Reply> {
  const isFirst = (await db.member.count()) === 0;
  const { email = "" } = values;
  const given = await input();
  const password = given === "" ? randomBytes(15).toString("base64url") : given;
  const account = parseOptions(MemberCreate, {
    email,
    name: values.name ?? email.split("@")[0],
    role: values.role ?? (isFirst ? "admin" : "reviewer"),
    password,
  });
  const member = await createMember(servicePrincipal, account);
  const created = `Created the account ${member.email} (${member.role}).`;
  if (given !== "") return { data: member, lines: [created] };
  return { data: { ...member, password }, lines: [created, `Password: ${password}`] };
}

/** @throws OperatorError when there is no active member with this address */
export async function findMember(email: string) {
  const member = await db.member.findFirst({
    where: { email: email.trim().toLowerCase(), disabled_at: null },
    select: { id: true, email: true, name: true, role: true },
  });
  if (member === null) throw new OperatorError(`There is no active member with the address ${email}.`);
  return { ...member, role: member.role as Role };
}
