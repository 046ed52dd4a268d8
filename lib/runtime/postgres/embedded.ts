import { type ChildProcess, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { chmod, open, readFile, rm } from "node:fs/promises";
import { totalmem } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { makeDataDir } from "#lib/runtime/files.ts";
import { type DataLock, lockDataDir } from "#lib/runtime/data-lock.ts";
import { probePort } from "#lib/runtime/ports.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";
import { DATABASE, ensureCluster, explain, serverEnvironment, SUPERUSER } from "./cluster.ts";
import { type Place, preparePlace, programOf } from "./place.ts";
import { clearLeftovers, endServer, openPresence, presenceOf } from "./presence.ts";

export type EmbeddedPostgresOptions = {
  /** The data folder, absolute. */
  dataDir: string;
  /** Lock that the caller holds and releases. Default: taken here and released by `stop`. */
  lock?: DataLock;
  /** Whether writes are synchronised to the disk. False only in tests. */
  durable?: boolean;
  /** Default: any free port. */
  port?: number;
  say?: (sentence: string) => void;
};

export type EmbeddedPostgres = {
  url: string;
  port: number;
  exited: Promise<void>;
  /** Fast shutdown: disconnects clients. */
  stop: () => Promise<void>;
};

/**
 * Starts the built-in PostgreSQL, creating missing files.
 * @throws OperatorError
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, durable = true, say = () => undefined } = options;
  makeDataDir(dataDir);
  const lock = options.lock ?? (await lockDataDir(dataDir, "service"));
  const release = () => {
    if (options.lock === undefined) lock.release();
  };
  try {
    const place = await preparePlace(dataDir, say);
    await clearLeftovers(place.data, place.presence);
    await ensureCluster(place, durable);
    let port = options.port ?? (await probePort("127.0.0.1", 0));
    const server = await launch(place, port, { durable, say }).catch(async (error: unknown) => {
      // Another program has taken the free port.
      if (options.port !== undefined || !/could not bind/i.test(String(error))) throw error;
      port = await probePort("127.0.0.1", 0);
      return launch(place, port, { durable, say });
    });
    const url = `postgresql://${SUPERUSER}:${place.password}@127.0.0.1:${port}/`;
    try {
      await ensureDatabase(`${url}postgres`);
    } catch (error) {
      await server.stop();
      throw error;
    }
    const stop = async () => {
      await server.stop();
      release();
    };
    return { ...server, url: url + DATABASE, port, stop };
  } catch (error) {
    release();
    throw error;
  }
}

type LaunchOptions = { durable: boolean; say: (sentence: string) => void };

async function launch(place: Place, port: number, { durable, say }: LaunchOptions) {
  const log = await open(place.log, "a", 0o600);
  const before = (await log.stat()).size;
  await chmod(place.data, 0o700);
  const settings = Object.entries(serverSettings(port, durable ? "on" : "off")).flatMap(([key, value]) => [
    "-c",
    `${key}=${value}`,
  ]);
  const presence = openPresence(place.presence);
  const server = spawn(programOf(place.binaries, "postgres"), ["-D", place.data, ...settings], {
    ...place.account,
    cwd: path.dirname(place.data),
    env: serverEnvironment(),
    // A group of its own, which Ctrl-C does not reach: the supervisor stops the database last.
    detached: true,
    // All processes of the server inherit the pipe.
    stdio: ["ignore", log.fd, log.fd, ...(presence === null ? [] : [presence])],
  });
  let gone = false;
  // Does not run after a SIGKILL; then the next start stops the server.
  const stopWithParent = () => void server.kill("SIGINT");
  process.once("exit", stopWithParent);
  const exited = new Promise<void>((resolve) => {
    const end = () => {
      gone = true;
      process.off("exit", stopWithParent);
      resolve();
    };
    server.once("error", end).once("exit", end);
  });
  if (presence !== null) closeSync(presence);
  await log.close();
  const pidFile = path.join(place.data, "postmaster.pid");
  const begun = Date.now();
  for (let isTold = false; !(await isReady(pidFile, server)); await sleep(15)) {
    if (gone) {
      const complaint = (await readFile(place.log)).subarray(before).toString();
      throw explain(complaint, `PostgreSQL did not start (see ${place.log})`);
    }
    if (!isTold && Date.now() - begun > 5_000) {
      isTold = true;
      say("The database is recovering from an unclean shutdown; this can take a while.");
    }
  }
  const stop = async () => {
    if (gone) return;
    await endServer(server.pid ?? 0);
    await exited;
    if (presenceOf(place.presence) === "gone") await rm(place.presence, { force: true });
  };
  return { exited, stop };
}

async function isReady(pidFile: string, server: ChildProcess): Promise<boolean> {
  const lines = (await readFile(pidFile, "utf8").catch(() => "")).split("\n");
  return lines[0] === String(server.pid) && lines[7]?.trim() === "ready";
}

async function ensureDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    const found = await client.query("SELECT FROM pg_database WHERE datname = $1", [DATABASE]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  } catch (error) {
    if ((error as { code?: string }).code !== "28P01") throw error;
    throw new OperatorError(
      "The database refuses the password in DATA_DIR/postgres.password: put the file back that belongs to this database.",
    );
  } finally {
    await client.end();
  }
}

/** Settings of the server. Passed at each start, so that changes apply to old data folders. */
function serverSettings(port: number, durable: "on" | "off") {
  const roomy = totalmem() >= 2 * 1024 ** 3;
  return {
    port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    shared_buffers: roomy ? "256MB" : "128MB",
    effective_cache_size: roomy ? "1GB" : "512MB",
    work_mem: "8MB",
    // The default of 4 is for rotating disks.
    random_page_cost: "1.1",
    // JIT compilation slowed short queries on large tables.
    jit: "off",
    fsync: durable,
    synchronous_commit: durable,
    full_page_writes: durable,
    // Fewer and compressed full-page images (docs/decisions/0001-embedded-postgresql.md); max_wal_size
    // bounds recovery to about 1 GB.
    checkpoint_timeout: "15min",
    wal_compression: "pglz",
    timezone: "UTC",
    log_timezone: "UTC",
    lc_messages: "C",
    log_checkpoints: "off",
    // The application logs failed statements; their texts may be private.
    log_min_messages: "log",
    log_min_error_statement: "panic",
  };
}
