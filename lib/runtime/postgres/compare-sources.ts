import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { release } from "#lib/runtime/release/release.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";
import { connectToMigrate } from "./connect.ts";
import { readFunctions } from "./functions.ts";
import { lockMigrations, missingMigrations, readMigrations } from "./migrate.ts";

/** Time that a starting service has to begin its migrations. */
const START_PATIENCE_MS = 2_000;

/**
 * For commands, which leave the migrations to the start of the service, except in an empty database.
 * @param isRunning whether a service uses the database
 * @throws OperatorError when the database is older than these sources
 */
export async function requireDatabaseOfSources(url: string, isRunning: boolean): Promise<void> {
  const client = await connectToMigrate(url);
  try {
    // Other commands do not count as migrations. A service's own database has no pooler.
    if (isRunning) await client.query("SET application_name = 'sluice-command'");
    for (const end = Date.now() + START_PATIENCE_MS; ; await sleep(250)) {
      const age = await ageOf(client);
      if (age === "same" || (age === "empty" && !isRunning)) return;
      if (!isRunning || (Date.now() > end && !(await isMigrating(client)))) throw new SourcesChanged();
    }
  } finally {
    await client.end();
  }
}

export class SourcesChanged extends OperatorError {
  constructor() {
    super(
      release === null
        ? "The sources have changed: stop the service and start it first."
        : "The database is older than this release: stop the service and start this release first.",
    );
  }
}

/** Changes nothing. */
async function ageOf(client: pg.Client): Promise<"same" | "empty" | "older"> {
  await client.query("BEGIN");
  try {
    await lockMigrations(client);
    const migrations = await readMigrations();
    const missing = await missingMigrations(client, migrations);
    if (missing.length > 0) return missing.length === migrations.length ? "empty" : "older";
    const { rows } = await client.query<{ checksum: string | null }>(
      "SELECT functions_checksum AS checksum FROM installation",
    );
    return rows[0]?.checksum === (await readFunctions()).checksum ? "same" : "older";
  } finally {
    await client.query("ROLLBACK");
  }
}

/** Whether another process does; between two migrations it holds no lock. */
async function isMigrating(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM pg_stat_activity
      WHERE application_name = 'sluice-migrate' AND datname = current_database() AND pid <> pg_backend_pid()`,
  );
  return (rowCount ?? 0) > 0;
}
