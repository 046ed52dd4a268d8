import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { startEmbeddedPostgres } from "#lib/runtime/embedded-postgres.ts";
import { migrate } from "#lib/runtime/migrate.ts";

export interface Bench {
  origin: string;
  databaseUrl: string;
  stop: () => Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

/** A database of its own with the settings of production (it syncs to disk), and the built web process on it. */
export async function startBench(fill: (url: string) => Promise<void>): Promise<Bench> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "sluice-bench-"));
  await chmod(dataDir, 0o711);
  const database = await startEmbeddedPostgres({ dataDir, database: "sluice", durable: true });
  await migrate(database.url);
  await fill(database.url);
  const port = await freePort();
  const web = fork(fileURLToPath(new URL("../../lib/runtime/web.ts", import.meta.url)), {
    execArgv: ["--disable-warning=ExperimentalWarning"],
    env: {
      ...process.env,
      NODE_ENV: "production",
      NEXT_TELEMETRY_DISABLED: "1",
      HOST: "127.0.0.1",
      PORT: String(port),
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      AUTH_SECRET: randomBytes(32).toString("hex"),
      ENCRYPTION_KEY: randomBytes(32).toString("hex"),
      LOG_LEVEL: "error",
      BENCH_ROUTES: "on",
    },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  await new Promise<void>((resolve, reject) => {
    web.once("exit", () => reject(new Error("the web process ended before it was ready")));
    web.on("message", (message: { type?: string; sentence?: string }) => {
      if (message.type === "ready") resolve();
      if (message.type === "failed") reject(new Error(message.sentence));
    });
  });
  return {
    origin: `http://127.0.0.1:${port}`,
    databaseUrl: database.url,
    stop: async () => {
      const ended = new Promise((resolve) => web.once("exit", resolve));
      web.kill("SIGTERM");
      await ended;
      await database.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
