import { readFileSync } from "node:fs";
import path from "node:path";
import type pg from "pg";
import { readBackupStatus } from "#lib/backup-status.ts";
import { diskSpace } from "#lib/disk-space.ts";
import { type Env, variableNames } from "#lib/env.ts";
import { originFor } from "#lib/fediverse/allowed-origins.ts";
import { FetchFailure, guardedFetch } from "#lib/fediverse/guarded-fetch.ts";
import { mailProblem } from "#lib/mail/transport.ts";
import { machineMemory } from "#lib/machine-memory.ts";
import { describeUnreadable } from "#lib/runtime/encryption-key.ts";
import { connectToMigrate } from "#lib/runtime/postgres/connect.ts";
import { readFunctions } from "#lib/runtime/postgres/functions.ts";
import { readMigrations } from "#lib/runtime/postgres/migrate.ts";
import { backupDirOf } from "#lib/runtime/settings.ts";
import packageJson from "../../../package.json" with { type: "json" };
import type { DatabaseFacts, Facts } from "./facts.ts";

const PATIENCE_MS = 8_000;

/** @param database URL of the application's role, or why there is none */
export async function readFacts(
  settings: Env,
  dataDir: string,
  database: { url: string } | { problem: string },
): Promise<Facts> {
  const [stored, network, mail, publicAddress] = await Promise.all([
    "problem" in database ? database : readDatabase(database.url, settings, dataDir),
    askNetwork(settings.DEFAULT_INSTANCE),
    askMailServer(settings),
    askPublicAddress(settings.PUBLIC_URL),
  ]);
  const given = settings.SLUICE_SETTINGS ?? variableNames.filter((name) => process.env[name]?.trim());
  const isBuiltIn = !given.includes("DATABASE_URL");
  const { ahead = null, ...databaseFacts } = stored as DatabaseFacts & { ahead?: number };
  return {
    settings: {
      given,
      publicUrl: settings.PUBLIC_URL,
      hasPublicUrl: given.includes("PUBLIC_URL"),
      host: settings.HOST,
      hasDirectUrl: given.includes("DIRECT_URL"),
      hasBackups:
        backupDirOf(isBuiltIn ? { ...settings, DATABASE_URL: undefined } : settings, dataDir) !== null,
    },
    database: databaseFacts,
    clock: { ofDatabase: ahead, ofNetwork: network.ahead },
    network: { host: settings.DEFAULT_INSTANCE, problem: network.problem },
    mail,
    disk: diskSpace(dataDir),
    memory: machineMemory(),
    backup: readBackupStatus(dataDir),
    publicAddress,
    version: packageJson.version,
    now: Date.now(),
    browser: null,
  };
}

/** With the seconds that this clock is ahead of the database's. Changes nothing. */
export async function readDatabase(
  url: string,
  settings: Pick<Env, "ENCRYPTION_KEY">,
  dataDir: string,
): Promise<(DatabaseFacts & { ahead: number }) | { problem: string }> {
  let client: pg.Client | undefined;
  try {
    client = await connectToMigrate(url, 0);
    return await askDatabase(client, settings, dataDir);
  } catch (error) {
    return { problem: (error as Error).message };
  } finally {
    await client?.end();
  }
}

async function askDatabase(
  client: pg.Client,
  settings: Pick<Env, "ENCRYPTION_KEY">,
  dataDir: string,
): Promise<DatabaseFacts & { ahead: number }> {
  const begun = Date.now();
  const { rows } = await client.query<{ now: Date; major: number; readOnly: boolean; pid: number }>(
    `SELECT clock_timestamp() AS now, current_setting('server_version_num')::int / 10000 AS major, pg_backend_pid() AS pid,
            current_setting('transaction_read_only') = 'on' AS "readOnly"`,
  );
  const server = rows[0] as (typeof rows)[number];
  const ahead = ((begun + Date.now()) / 2 - server.now.getTime()) / 1000;
  const tables = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> '_prisma_migrations'
        AND NOT (has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT')
                 AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE'))
      ORDER BY 1`,
  );
  const common = {
    ahead,
    major: server.major,
    isReadOnly: server.readOnly,
    // A pooler gives its clients process numbers of its own.
    hasPooler: (client as unknown as { processID: number }).processID !== server.pid,
    forbidden: tables.rows.map(({ name }) => name),
  };
  const known = (await readMigrations()).map(({ name }) => name);
  const applied = await appliedMigrations(client);
  const missingMigrations = known.filter((name) => !applied.includes(name));
  const schema = { missingMigrations, unknownMigrations: applied.filter((name) => !known.includes(name)) };
  // Tables that a missing migration makes cannot be asked.
  if (missingMigrations.length > 0)
    return { ...common, ...schema, hasFunctions: false, unreadable: null, workerAgeSeconds: 0 };
  const { rows: found } = await client.query<{ checksum: string | null; age: number }>(
    `SELECT functions_checksum AS checksum, greatest(extract(epoch FROM now() - last_round_at), 0)::int AS age FROM installation`,
  );
  return {
    ...common,
    ...schema,
    hasFunctions: found[0]?.checksum === (await readFunctions()).checksum,
    unreadable: await describeUnreadable(client, settings.ENCRYPTION_KEY ?? storedKey(dataDir)),
    workerAgeSeconds: found[0]?.age ?? 0,
  };
}

async function appliedMigrations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ found: boolean }>(
    "SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found",
  );
  if (rows[0]?.found !== true) return [];
  const applied = await client.query<{ name: string }>(
    `SELECT migration_name AS name FROM _prisma_migrations
      WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY 1`,
  );
  return applied.rows.map(({ name }) => name);
}

function storedKey(dataDir: string): string {
  try {
    return readFileSync(path.join(dataDir, "encryption-key"), "utf8").trim();
  } catch {
    return "";
  }
}

/** One request through the client that fetches posts. Its `Date` shows a wrong clock; proxies may keep it for a while. */
async function askNetwork(host: string): Promise<{ problem: string | null; ahead: number | null }> {
  try {
    const { headers } = await guardedFetch(`${originFor(host)}/.well-known/nodeinfo`, {
      timeoutMs: PATIENCE_MS,
    });
    const date = Date.parse(headers.date ?? "");
    return { problem: null, ahead: Number.isNaN(date) ? null : (Date.now() - date) / 1000 };
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error;
    return { problem: error.message, ahead: null };
  }
}

async function askMailServer(settings: Env): Promise<Facts["mail"]> {
  if (settings.SMTP_URL === undefined) return null;
  return { host: new URL(settings.SMTP_URL).host, problem: await mailProblem(settings) };
}

async function askPublicAddress(url: string): Promise<Facts["publicAddress"]> {
  try {
    // This installation's own address, which may be a local one.
    const response = await fetch(new URL("/health", url), { signal: AbortSignal.timeout(PATIENCE_MS) });
    const body = (await response.json()) as { app?: string; version?: string };
    if (body.app !== "Sluice") return { problem: "another program answers." };
    return { version: body.version ?? "" };
  } catch (error) {
    const { message, cause } = error as Error & { cause?: Error };
    return { problem: `no answer (${cause?.message ?? message}).` };
  }
}
