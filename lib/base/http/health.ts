import { readdir } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { sleep } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { tryAgain, writesFail } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { common } from "./common-fields.ts";
import { nullableString, stringField } from "./fields.ts";
import { operation } from "./operation.ts";
import { ok } from "./reply.ts";

/** Load balancers give up sooner than a normal request does. */
const READY_WITHIN_MS = 3_000;
/** A round takes a minute, and a little longer when a job does not end at its deadline. */
const SILENT_SECONDS = 300;
/** Schedulers may call once a day, up to an hour late. */
const SILENT_SECONDS_ON_VERCEL = 26 * 3_600;

const State = z
  .object({ status: stringField("State in one word.", "ready") })
  .meta({ id: "State", example: { status: "ready" } });

const WorkerState = z
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
 * @throws not_ready, database_newer, database_away, database_unwritable; the driver's error when the database refuses the
 *   connection
 */
export async function checkReadiness(): Promise<void> {
  const enough = new AbortController();
  const silence = sleep(READY_WITHIN_MS, enough.signal).then(() => Promise.reject(tryAgain("database_away")));
  await Promise.race([checkMigrations().then(checkWrites), silence]).finally(() => enough.abort());
}

/** Whether any worker on this database has ended a round of background work lately. */
export async function checkWorker(): Promise<z.output<typeof WorkerState>> {
  const [row] = await db.$queryRaw<{ age: number }[]>`
    SELECT greatest(extract(epoch FROM now() - last_round_at), 0)::int AS age FROM installation`;
  const age = row?.age ?? 0;
  const isOnVercel = env().VERCEL !== undefined;
  // A process that has just started gives the first round the same time.
  const silence = isOnVercel ? age : Math.min(age, process.uptime());
  const limit = isOnVercel ? SILENT_SECONDS_ON_VERCEL : SILENT_SECONDS;
  return { status: silence > limit ? "silent" : "working", last_round_age_seconds: age };
}

async function checkMigrations(): Promise<void> {
  const rows = await db.$queryRaw<
    { name: string }[]
  >`SELECT name FROM schema_migration WHERE name <> 'functions'`;
  const applied = rows.map(({ name }) => name);
  const names = await migrationNames();
  if (names.length > 0 && applied.some((name) => !names.includes(name))) throw tryAgain("database_newer");
  const missing = names.filter((name) => !applied.includes(name));
  if (missing.length === 0) return;
  log.warn({ missing }, "database is not migrated to this version");
  throw tryAgain("not_ready");
}

/** A standby reports itself; a full disk shows by writes that failed. Writes nothing, because anybody may call it. */
async function checkWrites(): Promise<void> {
  const [row] = await db.$queryRaw<{ writable: boolean }[]>`
    SELECT current_setting('transaction_read_only') = 'off' AS writable`;
  if (row?.writable !== true || writesFail()) throw tryAgain("database_unwritable");
}

let known: string[] | undefined;

/** Migrations of this version; none where only the build is deployed, which has applied them. */
async function migrationNames(): Promise<string[]> {
  if (known === undefined) {
    const folder = path.join(process.cwd(), "prisma", "migrations");
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    known = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  }
  return known;
}

const { license } = packageJson;
export const { version } = packageJson;
const tag = "Health";
const appField = stringField("Name of the service.", "Sluice");

const Health = z
  .object({
    status: z.literal("healthy").describe("State in one word."),
    app: appField,
    version: common.version,
  })
  .meta({ id: "Health", example: { status: "healthy", app: "Sluice", version } });

export const health = operation({
  id: "getHealth",
  summary: "Check that the process is running",
  tag,
  auth: "none",
  responses: { 200: Health },
  handle: () => Promise.resolve(ok({ status: "healthy", app: "Sluice", version })),
});

const Info = z
  .object({
    app: appField,
    version: common.version,
    license: stringField("SPDX id of the licence.", "AGPL-3.0-or-later"),
    source_url: nullableString(
      "Address of the source code of this service, or null.",
      "https://git.example/sluice",
    ),
    docs: stringField("Path of the API reference.", "/docs"),
  })
  .meta({ id: "Info" });

export const info = operation({
  id: "getInfo",
  summary: "Name and version of the service",
  tag,
  auth: "none",
  responses: { 200: Info },
  handle: () =>
    Promise.resolve(
      ok({
        app: "Sluice",
        version,
        license,
        source_url: env().SOURCE_URL ?? null,
        docs: "/docs",
      }),
    ),
});

export const live = operation({
  id: "isAlive",
  summary: "Is the process alive?",
  description: "Asks nothing but the process itself: restarting it would not bring the database back.",
  tag,
  auth: "none",
  responses: { 200: State },
  handle: () => Promise.resolve(ok({ status: "alive" })),
});

const Readiness = State.extend({
  database: z.literal("ready").optional().describe("With `verbose`."),
  worker: WorkerState.optional().describe("With `verbose`."),
}).meta({ id: "Readiness", example: { status: "ready" } });

export const ready = operation({
  id: "isReady",
  summary: "Check that the service can answer requests",
  description:
    "The database is reachable, can write, and has the tables of this version, not of a newer one. A silent worker does not change the status.",
  tag,
  auth: "none",
  query: z.object({
    verbose: z
      .string()
      .optional()
      .describe("Present, with any value: adds the state of the database and of the worker."),
  }),
  responses: { 200: Readiness },
  errors: ["not_ready", "database_newer", "database_away", "database_unwritable"],
  handle: async ({ query: { verbose } }) => {
    await checkReadiness();
    const state = { status: "ready" };
    if (verbose === undefined) return ok(state);
    return ok({ ...state, database: "ready", worker: await checkWorker() });
  },
});
