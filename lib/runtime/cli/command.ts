import { randomBytes } from "node:crypto";
import type { z } from "zod";
import { principalOfMember } from "#lib/auth/authenticate.ts";
import type { Role } from "#lib/auth/permissions.ts";
import { servicePrincipal } from "#lib/auth/principal.ts";
import { db, disconnectDb } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { sentenceOf } from "#lib/http/sentence-of.ts";
import { generateKey } from "#lib/keys/api-keys.ts";
import { KeyGenerate } from "#lib/keys/schema.ts";
import { createMember } from "#lib/members/accounts.ts";
import { createResetLink } from "#lib/members/links.ts";
import { MemberCreate } from "#lib/members/schema.ts";
import { explainEnd, OperatorError } from "#lib/runtime/terminal.ts";
import { type CommandLine, parseCommandLine } from "./command-line.ts";

const commands: Record<string, (line: CommandLine) => Promise<void>> = {
  "create-account": createAccount,
  "reset-password": resetPassword,
  "create-key": createKey,
};

try {
  const line = parseCommandLine(process.argv.slice(2));
  await commands[line.command]?.(line);
} catch (error) {
  explainEnd(error instanceof ApiError ? new OperatorError(`${error.message}.`) : error);
  process.exitCode = 1;
} finally {
  await disconnectDb();
  process.disconnect?.();
}

async function createAccount(line: CommandLine): Promise<void> {
  const isFirst = (await db.member.count()) === 0;
  const password = line.password ?? randomBytes(15).toString("base64url");
  const values = parse(MemberCreate, {
    email: line.email,
    name: line.name ?? line.email.split("@")[0],
    role: line.role ?? (isFirst ? "admin" : "reviewer"),
    password,
  });
  const member = await createMember(servicePrincipal, values);
  console.log(`Created the account ${member.email} (${member.role}).`);
  if (line.password === undefined) console.log(`Password: ${password}`);
}

async function resetPassword(line: CommandLine): Promise<void> {
  const member = await findMember(line.email);
  const link = await createResetLink(servicePrincipal, member.id);
  console.log(`One-time link, valid until ${link.expires_at}: ${link.url}`);
}

async function createKey(line: CommandLine): Promise<void> {
  const member = await findMember(line.email);
  const values = parse(KeyGenerate, { name: line.name, scopes: line.scopes });
  const key = await generateKey(principalOfMember(member, null), values);
  console.log(`API key "${key.name}" (${key.scopes.join(", ")}), shown only once: ${key.api_key}`);
}

async function findMember(email: string) {
  const member = await db.member.findFirst({
    where: { email: email.trim().toLowerCase(), disabled_at: null },
    select: { id: true, email: true, name: true, role: true },
  });
  if (member === null) throw new OperatorError(`There is no active member with the address ${email}.`);
  return { ...member, role: member.role as Role };
}

function parse<T extends z.ZodType>(schema: T, values: unknown): z.output<T> {
  const result = schema.safeParse(values, { error: sentenceOf });
  if (result.success) return result.data;
  throw new OperatorError(
    result.error.issues.map((issue) => `--${String(issue.path[0])} ${issue.message}.`).join("\n"),
  );
}
