import { readdir } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { sleep } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { tryAgain, writesFail } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { stringField } from "./fields.ts";

/** Load balancers give up sooner than a normal request does. */
const READY_WITHIN_MS = 3_000;
/** A round takes a minute, and a little longer when a job does not end at its deadline. */
const SILENT_SECONDS = 300;
/** Schedulers may call once a day, up to an hour late. */
const SILENT_SECONDS_ON_VERCEL = 26 * 3_600;

export const State = z
  .object({ status: stringField("State in one word.", "ready") })
  .meta({ id: "State", example: { status: "ready" } });

export const WorkerState = z
  .object({
    status: z
      .enum(["working", "silent"])
      .describe("`silent`: no round has ended for five minutes (on Vercel 26 hours)."),
    last_round_age_seconds: z
      .int()
      .describe("Since a worker, or a call of `/api/cron/tick`, ended a round of background work."),
  })
  .meta({ id: "WorkerState" });

/**
 * Checks that the database answers, can write, and has this version's migrations.
 *
 * @throws ApiError `not_ready`, `database_newer`, `database_away`, `database_unwritable`; or the driver's error when the database refuses the connection
 */
export async function checkReadiness(): Promise<void> {
  const enough = new AbortController();
  const silence = sleep(READY_WITHIN_MS, enough.signal).then(() => {
    if (!enough.signal.aborted) throw tryAgain("database_away");
  });
  try {
    await Promise.race([checkMigrations().then(checkWrites), silence]);
  } finally {
    enough.abort();
  }
}

/** Of all workers on this database. */
export async function checkWorker(): Promise<z.output<typeof WorkerState>> {
  const [row] = await db.$queryRaw<{ age: number }[]>`
    SELECT greatest(extract(epoch FROM now() - last_round_at), 0)::int AS age FROM installation`;
  const age = row?.age ?? 0;
  const isOnVercel = env().VERCEL !== undefined;
  // After a start the first round has the same time.
  const silence = isOnVercel ? age : Math.min(age, process.uptime());
  const limit = isOnVercel ? SILENT_SECONDS_ON_VERCEL : SILENT_SECONDS;
  return { status: silence > limit ? "silent" : "working", last_round_age_seconds: age };
}

async function checkMigrations(): Promise<void> {
  const rows = await db.$queryRaw<{ name: string }[]>`
    SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`;
  const applied = rows.map((row) => row.name);
  const names = await migrationNames();
  if (names.length > 0 && applied.some((name) => !names.includes(name))) throw tryAgain("database_newer");
  const missing = names.filter((name) => !applied.includes(name));
  if (missing.length === 0) {
    // After `prisma migrate deploy`, functions follow at the next start or build.
    const { functions_checksum: functions } = await db.installation.findUniqueOrThrow({ where: { id: 1 } });
    if (functions !== null) return;
  }
  log.warn({ missing }, "database is not migrated to this version");
  throw tryAgain("not_ready");
}

/** A standby says so; a full disk is known by the writes that failed. Reads only, because anybody may ask. */
async function checkWrites(): Promise<void> {
  const [row] = await db.$queryRaw<{ writable: boolean }[]>`
    SELECT current_setting('transaction_read_only') = 'off' AS writable`;
  if (row?.writable !== true || writesFail()) throw tryAgain("database_unwritable");
}

let known: string[] | undefined;

/** Empty where only the build is deployed: the build applied them. */
async function migrationNames(): Promise<string[]> {
  if (known === undefined) {
    const folder = path.join(process.cwd(), "prisma", "migrations");
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    known = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  }
  return known;
}
