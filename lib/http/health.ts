import { readdir } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { sleep } from "#lib/clock.ts";
import { db } from "#lib/db.ts";
import { log } from "#lib/log.ts";
import { ApiError } from "#lib/errors.ts";
import { ok, openOperation } from "./route.ts";
import packageJson from "../../package.json" with { type: "json" };

/*
 * What load balancers, container runtimes and monitors ask, without a key, at the root of the address.
 */

const tag = "Health";
/** Milliseconds: who asks is a load balancer, and gives up before a request's own 503 of a silent database. */
const READY_WITHIN = 3_000;
const app = "Sluice";
const { version } = packageJson;

const Health = z
  .object({ status: z.literal("healthy"), app: z.string(), version: z.string() })
  .meta({ id: "Health", example: { status: "healthy", app, version } });

const Info = z
  .object({
    app: z.string(),
    version: z.string(),
    description: z.string(),
    license: z.string(),
    api: z.string().meta({ description: "Where the API lives." }),
    openapi: z.string().meta({ description: "Where its document is." }),
    docs: z.string().meta({ description: "Where its reference page is." }),
  })
  .meta({ id: "Info" });

const State = z.object({ status: z.string() }).meta({ id: "State", example: { status: "ready" } });

export const healthOperation = openOperation({
  summary: "Is the service there?",
  tag,
  auth: "none",
  responses: { 200: Health },
  handle: () => Promise.resolve(ok({ status: "healthy", app, version })),
});

export const infoOperation = openOperation({
  summary: "What is this?",
  tag,
  auth: "none",
  responses: { 200: Info },
  handle: () =>
    Promise.resolve(
      ok({
        app,
        version,
        description: packageJson.description,
        license: packageJson.license,
        api: "/api/v1",
        openapi: "/api/v1/openapi.json",
        docs: "/docs",
      }),
    ),
});

export const liveOperation = openOperation({
  summary: "Is the process alive?",
  description: "Asks nothing but the process itself: restarting it would not bring the database back.",
  tag,
  auth: "none",
  responses: { 200: State },
  handle: () => Promise.resolve(ok({ status: "alive" })),
});

export const readyOperation = openOperation({
  summary: "Can it answer requests?",
  description: "The database is reachable and has the tables of this version.",
  tag,
  auth: "none",
  responses: { 200: State },
  errors: ["not_ready", "database_away"],
  handle: async () => {
    const enough = new AbortController();
    const silence = sleep(READY_WITHIN, enough.signal).then(() => {
      if (!enough.signal.aborted)
        throw new ApiError("database_away", {}, { headers: { "Retry-After": "5" } });
    });
    try {
      await Promise.race([checkReady(), silence]);
    } finally {
      enough.abort();
    }
    return ok({ status: "ready" });
  },
});

/** @throws ApiError `not_ready`, and whatever tells that the database is away */
async function checkReady(): Promise<void> {
  const rows = await db.$queryRaw<{ name: string }[]>`
    SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`;
  const applied = new Set(rows.map((row) => row.name));
  const missing = (await migrations()).filter((name) => !applied.has(name));
  if (missing.length === 0) {
    // `prisma migrate deploy` applies the migrations alone; functions follow at the next start or build.
    const { functions_checksum: functions } = await db.installation.findUniqueOrThrow({ where: { id: 1 } });
    if (functions !== null) return;
  }
  log.warn({ missing }, "the database is not migrated to this version");
  throw new ApiError("not_ready", {}, { headers: { "Retry-After": "5" } });
}

let known: string[] | undefined;

/** Names of the migrations that came with this version. None where only the build is deployed: it applied them. */
async function migrations(): Promise<string[]> {
  if (known === undefined) {
    const folder = path.join(process.cwd(), "prisma", "migrations");
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    known = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  }
  return known;
}
