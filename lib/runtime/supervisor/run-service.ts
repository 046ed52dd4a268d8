import { setTimeout as sleep } from "node:timers/promises";
import type { Setup } from "#lib/accounts/ensure-setup.ts";
import { type Env, localAddress } from "#lib/base/env.ts";
import { log } from "#lib/base/log.ts";
import { type DataLock, lockDataDir } from "#lib/runtime/data-lock.ts";
import { build, isBuilt } from "#lib/runtime/install/build.ts";
import { ensurePrismaClient } from "#lib/runtime/install/prisma-client.ts";
import { probePort } from "#lib/runtime/ports.ts";
import { requireItsDatabase } from "#lib/runtime/postgres/access.ts";
import { connect } from "#lib/runtime/postgres/connect.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#lib/runtime/postgres/embedded.ts";
import { migrate } from "#lib/runtime/postgres/migrate.ts";
import { backupDirOf, childEnvironment, openDataDir } from "#lib/runtime/settings.ts";
import { explainEnd, say, secondsSince, setupSentence, step } from "#lib/runtime/terminal.ts";
import { createFirstAccount } from "./create-first-account.ts";
import { supervise, type SupervisedChild } from "./supervised-child.ts";

/* Starts database, web server and worker, restarts them when they die, and stops them in order. */

/** Time for child processes to stop. The web server takes up to 10 s, the worker 8 s. */
const CHILD_LIMIT_MS = 12_000;
/** Longest wait for the database, which compose files and service managers start at the same time. */
const DATABASE_WAIT_MS = 60_000;
/** Pause after a failed restart of the database, for example on a full disk. */
const RESTART_PAUSE_MS = 2_000;
/** Time without a heartbeat after which the worker is killed. */
const WORKER_SILENCE_MS = 90_000;

/**
 * Sizes of the heaps, which Node.js would choose by the memory of the machine. They fit into 1 GB beside PostgreSQL, and keep
 * the web process below 400 MB. V8 keeps three semi-spaces.
 */
const HEAP = {
  web: ["--max-old-space-size=192", "--max-semi-space-size=8"],
  worker: ["--max-old-space-size=128", "--max-semi-space-size=4"],
};

const running: {
  lock?: DataLock;
  database?: Promise<EmbeddedPostgres>;
  children: SupervisedChild[];
} = { children: [] };
let stopping = false;

/** Message to a parent process over IPC (the demo and the tests). */
export type RunningMessage = { type: "running"; url: string; setup_url: string | null };

/** Runs the service until it is told to stop, then ends the process. */
export async function runService(settings: Env, options: { dev: boolean }): Promise<void> {
  listenForTheEnd();
  try {
    await start(settings, options.dev);
  } catch (error) {
    // Shutdown causes errors, which are not reported.
    if (stopping) return;
    stopping = true;
    explainEnd(error);
    await stop();
    process.exit(1);
  }
}

async function start(settings: Env, dev: boolean): Promise<void> {
  const begun = performance.now();
  say("Sluice is starting.");
  const dataDir = openDataDir(settings);
  const lock = (running.lock = await lockDataDir(dataDir, "service"));
  if (settings.DATABASE_URL === undefined) requireItsDatabase(dataDir);
  const hasWeb = settings.PROCESSES !== "worker";
  const port = hasWeb ? await probePort(settings.HOST, settings.PORT) : settings.PORT;
  for (const url of new Set([settings.DIRECT_URL, settings.DATABASE_URL])) {
    if (url !== undefined)
      await step("Connecting to the database", async () =>
        (await connect(url, "sluice", DATABASE_WAIT_MS)).end(),
      );
  }
  await ensurePrismaClient();
  if (!dev && !(await isBuilt())) await step("Building the application", build);
  const url = settings.DATABASE_URL ?? (await startDatabase(lock));
  const directUrl = settings.DIRECT_URL ?? url;
  const applied = await step("Bringing the database up to date", () => migrate(directUrl));
  if (applied.length > 0)
    say(`    ${applied.length} ${applied.length === 1 ? "migration" : "migrations"} applied.`);
  const publicUrl = process.env.PUBLIC_URL ? settings.PUBLIC_URL : localAddress(settings.HOST, port);
  const environment: NodeJS.ProcessEnv = {
    ...childEnvironment(settings, { dataDir, url, port, publicUrl }),
    ...(dev ? {} : { NODE_ENV: "production" }),
  };
  const setup = await step("Starting the processes", () =>
    startChildren(settings, environment, { dev, directUrl, backupDir: backupDirOf(settings, dataDir) }),
  );
  if (stopping) return;
  const what = hasWeb ? `Sluice runs at ${publicUrl}` : "The worker of Sluice runs";
  say(`\n${what} (after ${secondsSince(begun)}). Ctrl-C stops it.`);
  const firstAccount = setupSentence(setup);
  if (firstAccount !== null) say(firstAccount);
  if (settings.SOURCE_URL === undefined)
    say(
      "Set SOURCE_URL to the address of this copy's source code: the AGPL requires a link to it on every page.",
    );
  if (!process.env.PUBLIC_URL && !/^(127\.|::1$|localhost$)/.test(settings.HOST)) {
    say("Set PUBLIC_URL to the address people use: sign-in works only there.");
  }
  process.send?.({
    type: "running",
    url: publicUrl,
    setup_url: setup.setup_url,
  } satisfies RunningMessage);
}

async function startDatabase(lock: DataLock): Promise<string> {
  const { dataDir } = lock;
  running.database = step("Starting the database", () => startEmbeddedPostgres({ dataDir, lock, say }));
  const database = await running.database;
  void keepDatabase(database, lock);
  return database.url;
}

/** Restarts the database on the same port, which the child processes use. */
async function keepDatabase({ exited, port }: EmbeddedPostgres, lock: DataLock): Promise<void> {
  await exited;
  while (!stopping) {
    log.error("database server died, restarting");
    try {
      running.database = startEmbeddedPostgres({ dataDir: lock.dataDir, lock, port, say });
      await (
        await running.database
      ).exited;
    } catch (error) {
      if (!stopping) log.error({ err: error }, "database server restart failed");
      await sleep(RESTART_PAUSE_MS);
    }
  }
}

async function startChildren(
  settings: Env,
  environment: NodeJS.ProcessEnv,
  { dev, directUrl, backupDir }: { dev: boolean; directUrl: string; backupDir: string | undefined },
): Promise<Setup> {
  const startWeb = () =>
    supervise({
      name: "web server",
      file: new URL("../web/web.ts", import.meta.url),
      env: environment,
      flags: dev ? [] : HEAP.web,
    });
  const startWorker = () =>
    supervise({
      name: "worker",
      file: new URL("./worker.ts", import.meta.url),
      env: {
        ...environment,
        // The worker runs few jobs at a time and leaves connections to the web process.
        DATABASE_POOL_SIZE: String(Math.ceil(settings.DATABASE_POOL_SIZE / 2)),
        ...(dev || backupDir === undefined ? {} : { BACKUP_DIR: backupDir, DIRECT_URL: directUrl }),
      },
      flags: dev ? [] : HEAP.worker,
      // No limit in development, because a debugger stops the heartbeat.
      silenceMs: dev ? undefined : WORKER_SILENCE_MS,
    });
  if (settings.PROCESSES !== "worker") running.children.push(startWeb());
  if (settings.PROCESSES !== "web") running.children.push(startWorker());
  const firstAccount = createFirstAccount(directUrl, environment, settings);
  const [setup] = await Promise.all([firstAccount, ...running.children.map((child) => child.ready)]);
  return setup;
}

function listenForTheEnd(): void {
  let firstSignal = 0;
  const end = () => {
    // npm forwards Ctrl-C, which the terminal has sent already, so two signals at once count as one.
    if (stopping && Date.now() - firstSignal > 1_000) {
      say("Stopping immediately.");
      for (const child of running.children) child.kill();
      // The exit handler also stops the database.
      process.exit(1);
    }
    if (stopping) return;
    firstSignal = Date.now();
    stopping = true;
    say("\nStopping …");
    void stop()
      .then(() => say("Stopped."))
      .then(() => process.exit(0), explainEnd)
      .then(() => process.exit(1));
  };
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP", "disconnect"]) process.on(name, end);
}

async function stop(): Promise<void> {
  await Promise.all(running.children.map((child) => child.stop(CHILD_LIMIT_MS)));
  const database = await running.database?.catch(() => undefined);
  await database?.stop();
  running.lock?.release();
}
