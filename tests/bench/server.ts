import { randomBytes } from "node:crypto";
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { startEmbeddedPostgres } from "#lib/runtime/postgres/embedded.ts";
import { probePort } from "#lib/runtime/ports.ts";
import { migrate } from "#lib/runtime/postgres/migrate.ts";
import { supervise } from "#lib/runtime/supervisor/supervised-child.ts";

export interface Bench {
  origin: string;
  databaseUrl: string;
  stop: () => Promise<void>;
}

/** Syncs to disk, as in production. */
export async function startDatabase() {
  const dataDir = await mkdtemp(path.join(tmpdir(), "sluice-bench-"));
  await chmod(dataDir, 0o711);
  const { url, stop } = await startEmbeddedPostgres({ dataDir, durable: true });
  await migrate(url);
  const remove = () => rm(dataDir, { recursive: true, force: true });
  return { dataDir, url, stop: () => stop().then(remove) };
}

/** Starts the built web process on a database of its own. */
export async function startBench(fill: (url: string) => Promise<void>): Promise<Bench> {
  const database = await startDatabase();
  await fill(database.url);
  const port = await probePort("127.0.0.1", 0);
  const env = {
    ...process.env,
    NODE_ENV: "production" as const,
    NEXT_TELEMETRY_DISABLED: "1",
    HOST: "127.0.0.1",
    PORT: String(port),
    DATABASE_URL: database.url,
    SLUICE_BUILT_IN_DATABASE: "1",
    DATA_DIR: database.dataDir,
    AUTH_SECRET: randomBytes(32).toString("hex"),
    ENCRYPTION_KEY: randomBytes(32).toString("hex"),
    LOG_LEVEL: "error",
    BENCH_ROUTES: "on",
  };
  const file = new URL("../../lib/runtime/web/web.ts", import.meta.url);
  const web = supervise({ name: "web", file, env });
  await web.ready;
  return {
    origin: `http://127.0.0.1:${port}`,
    databaseUrl: database.url,
    stop: async () => {
      await web.stop(10_000);
      await database.stop();
    },
  };
}

/**
 * Copies the comparison handlers into `app` until this process ends, because Next serves only routes below
 * `app`.
 */
export function addComparisonRoute(): void {
  const target = fileURLToPath(new URL("../../app/api/bench/", import.meta.url));
  mkdirSync(path.join(target, "[kind]"), { recursive: true });
  const source = fileURLToPath(new URL("./comparison-route.ts", import.meta.url));
  copyFileSync(source, path.join(target, "[kind]", "route.ts"));
  process.on("exit", () => rmSync(target, { recursive: true, force: true }));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
}
