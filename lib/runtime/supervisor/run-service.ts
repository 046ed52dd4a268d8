import { accessSync, constants } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Env, localAddress } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { makeFolder } from "#lib/runtime/files.ts";
import { build, isBuilt } from "#lib/runtime/install/build.ts";
import { ensurePrismaClient, isPrismaClientCurrent } from "#lib/runtime/install/prisma-client.ts";
import { probePort } from "#lib/runtime/ports.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "#lib/runtime/postgres/embedded.ts";
import { migrate } from "#lib/runtime/postgres/migrate.ts";
import { type LockHolder, tryLock, unlock } from "#lib/runtime/processes.ts";
import { childEnvironment, dataDirOf } from "#lib/runtime/settings.ts";
import { explainEnd, OperatorError, say, secondsSince, step } from "#lib/runtime/terminal.ts";
import { supervise, type SupervisedChild } from "./supervised-child.ts";

/* Starts database, web server and worker, restarts them when they die, and stops them in order. */

/** Milliseconds. The web server takes up to 10 s to stop, the worker 8 s. */
const CHILD_LIMIT = 12_000;

const running: {
  lock?: string;
  database?: Promise<EmbeddedPostgres>;
  children: SupervisedChild[];
} = { children: [] };
let stopping = false;

/** Sent to a parent process over IPC (the demo, the tests). */
export type RunningMessage = { type: "running"; url: string; setup_url: string | null };

/** Runs the service until it is told to stop, then ends the process. */
export async function runService(settings: Env, options: { dev: boolean }): Promise<void> {
  listenForTheEnd();
  try {
    await start(settings, options.dev);
  } catch (error) {
    // Shutdown itself causes these errors.
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
  const dataDir = openDataDir(dataDirOf(settings));
  const port = await probePort(settings.HOST, settings.PORT);
  await prepare(dev);
  const url = settings.DATABASE_URL ?? (await startDatabase(dataDir));
  const applied = await step("Bringing the database up to date", () => migrate(settings.DIRECT_URL ?? url));
  if (applied.length > 0)
    say(`    ${applied.length} ${applied.length === 1 ? "migration" : "migrations"} applied.`);
  const publicUrl = process.env.PUBLIC_URL ? settings.PUBLIC_URL : localAddress(settings.HOST, port);
  const environment = childEnvironment(settings, { url, port, publicUrl });
  if (!dev) Object.assign(environment, { NODE_ENV: "production" });
  const setupUrl = await step("Starting the web server and the worker", () => startChildren(environment));
  say(`\nSluice runs at ${publicUrl} (after ${secondsSince(begun)}). Ctrl-C stops it.`);
  if (setupUrl !== null)
    say(`There is no account yet. Create the first one with this one-time link: ${setupUrl}`);
  if (settings.SOURCE_URL === undefined)
    say(
      "Set SOURCE_URL to the address of this copy's source code: the AGPL requires a link to it on every page.",
    );
  if (!process.env.PUBLIC_URL && !/^(127\.|::1$|localhost$)/.test(settings.HOST)) {
    say("Set PUBLIC_URL to the address people use: sign-in works only there.");
  }
  process.send?.({ type: "running", url: publicUrl, setup_url: setupUrl } satisfies RunningMessage);
}

function openDataDir(dataDir: string): string {
  const lock = path.join(dataDir, "running.lock");
  let holder: LockHolder | null;
  try {
    // The database account needs access; secrets have their own modes.
    makeFolder(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700);
    accessSync(dataDir, constants.W_OK);
    // For root, only writing detects a read-only file system.
    holder = tryLock(lock);
  } catch (error) {
    throw new OperatorError(`DATA_DIR ${dataDir} cannot be written to (${(error as Error).message}).`);
  }
  if (holder !== null) {
    throw new OperatorError(
      `Sluice already runs on ${dataDir} (process ${holder.pid}): stop that one, or set DATA_DIR to another folder.`,
    );
  }
  running.lock = lock;
  return dataDir;
}

async function prepare(dev: boolean): Promise<void> {
  if (!(await isPrismaClientCurrent())) await step("Generating the database client", ensurePrismaClient);
  if (!dev && !(await isBuilt())) await step("Building the application", build);
}

async function startDatabase(dataDir: string): Promise<string> {
  running.database = step("Starting the database", () => startEmbeddedPostgres({ dataDir, say }));
  const database = await running.database;
  void keepDatabase(database, dataDir);
  return database.url;
}

/** Restarts it on the same port, which the child processes use. */
async function keepDatabase(first: EmbeddedPostgres, dataDir: string): Promise<void> {
  for (let database = first; ;) {
    await database.exited;
    if (stopping) return;
    log.error("database server died, restarting");
    for (let pause = 250; ; pause = Math.min(pause * 2, 30_000)) {
      try {
        running.database = startEmbeddedPostgres({ dataDir, port: first.port, say });
        database = await running.database;
        break;
      } catch (error) {
        if (stopping) return;
        log.error({ err: error }, "database server restart failed");
        await sleep(pause);
      }
    }
  }
}

async function startChildren(environment: NodeJS.ProcessEnv): Promise<string | null> {
  // Only the worker creates the first account.
  const webEnvironment = { ...environment, ADMIN_EMAIL: undefined, ADMIN_PASSWORD: undefined };
  const web = supervise({
    name: "web server",
    file: new URL("../web/web.ts", import.meta.url),
    env: webEnvironment,
  });
  const worker = supervise({
    name: "worker",
    file: new URL("./worker.ts", import.meta.url),
    env: environment,
  });
  running.children.push(web, worker);
  const [, { setup_url }] = await Promise.all([web.ready, worker.ready]);
  return setup_url ?? null;
}

function listenForTheEnd(): void {
  let firstSignal = 0;
  const end = () => {
    // npm forwards Ctrl-C, which the terminal has sent already: two signals at once count as one.
    if (stopping && Date.now() - firstSignal > 1_000) force();
    if (stopping) return;
    firstSignal = Date.now();
    stopping = true;
    say("\nStopping …");
    stop().then(
      () => {
        say("Stopped.");
        process.exit(0);
      },
      (error: unknown) => {
        explainEnd(error);
        process.exit(1);
      },
    );
  };
  process.on("SIGINT", end);
  process.on("SIGTERM", end);
  process.on("SIGHUP", end);
  process.on("disconnect", end);
  // npm cannot forward a signal when it is killed.
  const parent = process.ppid;
  if (process.env.npm_lifecycle_event !== undefined) {
    setInterval(() => !stopping && process.ppid !== parent && end(), 500).unref();
  }
}

async function stop(): Promise<void> {
  await Promise.all(running.children.map((child) => child.stop(CHILD_LIMIT)));
  const database = await running.database?.catch(() => undefined);
  await database?.stop();
  if (running.lock !== undefined) unlock(running.lock);
}

function force(): void {
  say("Stopping immediately.");
  for (const child of running.children) child.kill();
  void running.database?.then((database) => database.kill());
  if (running.lock !== undefined) unlock(running.lock);
  setTimeout(() => process.exit(1), 50);
}
