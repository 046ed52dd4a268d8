import { randomBytes } from "node:crypto";
import type { z } from "zod";
import { createMember } from "#lib/accounts/accounts.ts";
import { generateKey } from "#lib/accounts/api-keys.ts";
import { principalOfMember } from "#lib/accounts/authenticate.ts";
import { KeyGenerate } from "#lib/accounts/key-schema.ts";
import { createResetLink } from "#lib/accounts/links.ts";
import { MemberCreate } from "#lib/accounts/member-schema.ts";
import { readBackupStatus } from "#lib/base/backup-status.ts";
import { db } from "#lib/base/db.ts";
import { ApiError } from "#lib/base/errors.ts";
import { checkReadiness, checkWorker } from "#lib/base/http/health.ts";
import type { Role } from "#lib/base/http/permissions.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { sentenceOf } from "#lib/base/http/sentence-of.ts";
import { listStreams } from "#lib/collect/streams.ts";
import { queueSupply } from "#lib/queue/queue-overview.ts";
import { importFenLiu } from "#lib/runtime/import-fenliu/import-file.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";
import packageJson from "../../../package.json" with { type: "json" };
import type { CommandLine } from "./commands.ts";

/** Commands that need the Prisma client. They return lines for the operator. */
export const applicationCommands: Record<string, (line: CommandLine) => Promise<string[]>> = {
  async "create-account"({ values }) {
    const { email = "" } = values;
    const isFirst = (await db.member.count()) === 0;
    const password = randomBytes(15).toString("base64url");
    const account = parseOptions(MemberCreate, {
      email,
      name: values.name ?? email.split("@")[0],
      role: values.role ?? (isFirst ? "admin" : "reviewer"),
      password,
    });
    const member = await createMember(servicePrincipal, account);
    return [`Created the account ${member.email} (${member.role}).`, `Password: ${password}`];
  },

  async "reset-password"({ values }) {
    const member = await findMember(values.email);
    const link = await createResetLink(servicePrincipal, member.id);
    return [`One-time link, valid until ${link.expires_at}: ${link.url}`];
  },

  async "create-key"({ values }) {
    const member = await findMember(values.email);
    const body = parseOptions(KeyGenerate, {
      name: values.name,
      scopes: entriesOf(values.scopes),
      stream_ids: values.streams === undefined ? undefined : entriesOf(values.streams).map(Number),
      expires_at: values.expires,
    });
    const key = await generateKey(principalOfMember(member, null), body);
    return [`API key "${key.name}" (${key.scopes.join(", ")}), shown only once: ${key.api_key}`];
  },

  async "import-fenliu"({ file, values }) {
    const dryRun = values["dry-run"] !== undefined;
    const { settings, streams, posts, merged, skipped, unverifiable } = await importFenLiu(file, { dryRun });
    const lost = Map.groupBy(skipped, ({ table, reason }) => `${table}: ${reason}`);
    return [
      dryRun ? "Dry run: nothing was changed." : "The import is complete.",
      `Taken: ${listOf({ streams, ...settings })}`,
      `Posts: ${listOf(posts)}; merged: ${merged}`,
      ...[...lost].map(
        ([reason, rows]) =>
          `Not taken, ${reason}: ${rows.length} (id ${rows.map(({ id }) => id).join(", ")})`,
      ),
      `Posts whose own servers have to name their address first: ${unverifiable}`,
    ];
  },

  status,
};

const listOf = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([name, n]) => `${name.replaceAll("_", " ")} ${n}`)
    .join(", ");

function entriesOf(value = ""): string[] {
  return value.split(/[\s,]+/).filter(Boolean);
}

async function findMember(email = "") {
  const member = await db.member.findFirst({
    where: { email: email.trim().toLowerCase(), disabled_at: null },
    select: { id: true, email: true, name: true, role: true },
  });
  if (member === null) throw new OperatorError(`There is no active member with the address ${email}.`);
  return { ...member, role: member.role as Role };
}

/** Fields of the API whose options have shorter names. */
const shorter: Record<string, string> = { stream_ids: "streams", expires_at: "expires" };

/** @throws OperatorError with a sentence for each option that the schema refuses */
function parseOptions<T extends z.ZodType>(schema: T, values: unknown): z.output<T> {
  const result = schema.safeParse(values, { error: sentenceOf });
  if (result.success) return result.data;
  const sentences = result.error.issues.map(({ path: [field], message }) => {
    const name = String(field);
    return `--${shorter[name] ?? name} ${message}.`;
  });
  throw new OperatorError(sentences.join("\n"));
}

const MAX_STREAMS = 1_000;

/** Exit code 1 when the database is not ready. */
async function status(): Promise<string[]> {
  const database = await checkReadiness().then(
    () => "ready",
    (error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      process.exitCode = 1;
      return error.code;
    },
  );
  const [worker, supply, { items: streams }, backup] = await Promise.all([
    checkWorker(),
    queueSupply(),
    listStreams({ skip: 0, limit: MAX_STREAMS }),
    readBackupStatus(),
  ]);
  const states = Map.groupBy(streams, ({ state }) => state);
  const counts = Object.fromEntries([...states].map(([state, { length }]) => [state, length]));
  const { pending, reserved, error } = supply.counts;
  return [
    `Sluice ${packageJson.version}`,
    `Database: ${database}`,
    `Worker: last round ${worker.last_round_age_seconds} s ago`,
    `Streams: ${listOf(counts) || "none"}`,
    ...streams
      .filter((stream) => stream.state === "failing")
      .map((stream) => `  #${stream.hashtag} on ${stream.instance}: ${stream.last_error ?? "fails"}`),
    `Queue: ${pending} pending, ${reserved} reserved, ${error} failed; ${supply.available} can be handed out now`,
    `Deliveries a day: ${supply.deliveries_per_day}; lasts ${supply.runway_days === null ? "unknown" : `${supply.runway_days} days`}`,
    `Nightly backup: ${backup === null ? "no worker makes any" : (backup.success?.at ?? "none yet")}`,
  ];
}
