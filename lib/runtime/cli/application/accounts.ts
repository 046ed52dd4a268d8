import { randomBytes } from "node:crypto";
import type { Role } from "#lib/auth/permissions.ts";
import { servicePrincipal } from "#lib/auth/principal.ts";
import { db } from "#lib/db.ts";
import { createMember, listMembers, updateMember } from "#lib/members/accounts.ts";
import { createResetLink } from "#lib/members/links.ts";
import { type Member, MemberCreate, MemberUpdate } from "#lib/members/schema.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";
import { type ApplicationCommand, parseOptions, type Reply, table } from "./reply.ts";

export const accountCommands: Record<string, ApplicationCommand> = {
  "create-account": createAccount,
  "list-accounts": listAccounts,
  "set-role": async ({ values: { email = "", role } }) => {
    const change = parseOptions(MemberUpdate, { role });
    const member = await updateMember(servicePrincipal, await memberId(email), change);
    return { data: member, lines: [`${member.email} has the role ${member.role}.`] };
  },
  "disable-account": async ({ values: { email = "" } }) => setDisabled(email, true),
  "enable-account": async ({ values: { email = "" } }) => setDisabled(email, false),
  "reset-password": async ({ values: { email = "" } }) => {
    const member = await findMember(email);
    const link = await createResetLink(servicePrincipal, member.id);
    return { data: link, lines: [`One-time link, valid until ${link.expires_at}: ${link.url}`] };
  },
};

async function createAccount({ values }: Parameters<ApplicationCommand>[0]): Promise<Reply> {
  const isFirst = (await db.member.count()) === 0;
  const { email = "" } = values;
  const password = values.password ?? randomBytes(15).toString("base64url");
  const account = parseOptions(MemberCreate, {
    email,
    name: values.name ?? email.split("@")[0],
    role: values.role ?? (isFirst ? "admin" : "reviewer"),
    password,
  });
  const member = await createMember(servicePrincipal, account);
  const created = `Created the account ${member.email} (${member.role}).`;
  if (values.password !== undefined) return { data: member, lines: [created] };
  return { data: { ...member, password }, lines: [created, `Password: ${password}`] };
}

async function listAccounts(): Promise<Reply> {
  const items: Member[] = [];
  for (let total = 1; items.length < total;) {
    const page = await listMembers({ skip: items.length, limit: 500 });
    items.push(...page.items);
    total = page.items.length === 0 ? 0 : page.total;
  }
  const rows = items.map((member) => [
    member.email,
    member.name,
    member.role,
    member.disabled_at === null ? "active" : "disabled",
    member.last_sign_in_at ?? "never",
  ]);
  return { data: { items }, lines: table(["E-mail", "Name", "Role", "State", "Last sign-in"], rows) };
}

async function setDisabled(email: string, disabled: boolean): Promise<Reply> {
  const member = await updateMember(servicePrincipal, await memberId(email), { disabled });
  return {
    data: member,
    lines: [`The account ${member.email} is ${disabled ? "disabled" : "active"}.`],
  };
}

async function memberId(email: string): Promise<number> {
  const member = await db.member.findFirst({
    where: { email: email.trim().toLowerCase() },
    select: { id: true },
  });
  if (member === null) throw new OperatorError(`There is no member with the address ${email}.`);
  return member.id;
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
