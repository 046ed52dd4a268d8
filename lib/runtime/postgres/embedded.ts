import { type ChildProcess, spawn } from "node:child_process";
import { chmod, open, readFile, rename, stat } from "node:fs/promises";
import { totalmem } from "node:os";
import path from "node:path";
import pg from "pg";
import { probePort } from "#lib/runtime/ports.ts";
import { isAlive, tryLock, unlock } from "#lib/runtime/processes.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";
import { clearLeftovers, ensureCluster, explain, serverEnvironment, SUPERUSER } from "./cluster.ts";
import { elsewhereNote, type Place, preparePlace } from "./folder.ts";

export type EmbeddedPostgresOptions = {
  /** DATA_DIR, absolute. */
  dataDir: string;
  /** Created when missing. */
  database?: string;
  /** False only in tests: no fsync. */
  durable?: boolean;
  /** Default: any free one. */
  port?: number;
  say?: (sentence: string) => void;
};

export type EmbeddedPostgres = {
  url: string;
  port: number;
  exited: Promise<void>;
  /** Fast shutdown: disconnects clients. */
  stop: () => Promise<void>;
  /** Immediate shutdown; the next start recovers. */
  kill: () => void;
};

/**
 * Starts the built-in PostgreSQL, creating missing files.
 * @throws OperatorError
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { database = "sluice", durable = true, say = () => undefined } = options;
  const place = await preparePlace(options.dataDir, say);
  const lock = takeLock(place);
  try {
    await clearLeftovers(place.data);
    await ensureCluster(place, durable);
    const { server, port } = await launchOnPort(place, options.port, durable, say);
    const url = `postgresql://${SUPERUSER}:${place.password}@127.0.0.1:${port}/`;
    try {
      await ensureDatabase(`${url}postgres`, database);
    } catch (error) {
      await server.stop();
      throw error;
    }
    const stop = async () => {
      await server.stop();
      unlock(lock);
    };
    return { ...server, url: `${url}${database}`, port, stop };
  } catch (error) {
    unlock(lock);
    throw error;
  }
}

async function launchOnPort(
  place: Place,
  wanted: number | undefined,
  durable: boolean,
  say: (sentence: string) => void,
) {
  for (let attempt = 1; ; attempt++) {
    const port = wanted ?? (await probePort("127.0.0.1", 0));
    try {
      return { server: await launch(place, port, durable, say), port };
    } catch (error) {
      // Another program may take the port, and backends of a killed server need time to end.
      const passing = /could not bind|Address already in use|shared memory block/i.test(String(error));
      if (!passing || attempt >= 20) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}

/** A copied DATA_DIR may name the same files. */
function takeLock(place: Place): string {
  const lock = path.join(path.dirname(place.data), "postgres.lock");
  const holder = tryLock(lock);
  if (holder !== null && holder.pid !== process.pid) {
    throw new OperatorError(
      `The database files in ${place.data} are in use by another Sluice (process ${holder.pid}): stop that one first.`,
    );
  }
  return lock;
}

async function launch(place: Place, port: number, durable: boolean, say: (sentence: string) => void) {
  const logSize = await stat(place.log).then(
    (found) => found.size,
    () => 0,
  );
  if (logSize > 10 * 1024 * 1024) await rename(place.log, `${place.log}.old`);
  const log = await open(place.log, "a", 0o600);
  const before = (await log.stat()).size;
  await chmod(place.data, 0o700);
  const settings = Object.entries(serverSettings({ port, durable })).flatMap(([key, value]) => [
    "-c",
    `${key}=${value}`,
  ]);
  const server = spawn(place.binaries.postgres, ["-D", place.data, ...settings], {
    ...place.account,
    cwd: path.dirname(place.data),
    env: serverEnvironment(),
    // Protects it from Ctrl-C: the supervisor stops the database last.
    detached: true,
    stdio: ["ignore", log.fd, log.fd],
  });
  await log.close();
  const exited = new Promise<void>((resolve) => {
    server.once("error", () => resolve());
    server.once("exit", () => resolve());
  });
  const pidFile = path.join(place.data, "postmaster.pid");
  const guard = watchOver(server, pidFile);
  let gone = false;
  void exited.then(() => {
    gone = true;
    dismiss(guard);
  });
  const begun = Date.now();
  for (let told = false; !(await isReady(pidFile, server));) {
    if (gone) {
      const complaint = (await readFile(place.log)).subarray(before).toString();
      throw explain(complaint, `PostgreSQL did not start (see ${place.log})`);
    }
    if (!told && Date.now() - begun > 5_000) {
      told = true;
      say("The database is recovering from an unclean shutdown; this can take a while.");
    }
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  const stop = async () => {
    if (gone) return;
    server.kill("SIGINT");
    // A suspended server handles signals only after SIGCONT.
    server.kill("SIGCONT");
    const late = setTimeout(() => server.kill("SIGQUIT"), 20_000);
    // The write-ahead log recovers after a kill.
    const last = setTimeout(() => server.kill("SIGKILL"), 30_000);
    await exited;
    clearTimeout(late);
    clearTimeout(last);
  };
  return { exited, stop, kill: () => void server.kill("SIGQUIT") };
}

async function isReady(pidFile: string, server: ChildProcess): Promise<boolean> {
  const lines = (await readFile(pidFile, "utf8").catch(() => "")).split("\n");
  return lines[0] === String(server.pid) && lines[7]?.trim() === "ready";
}

/** A shell that stops the server when this process is killed, which closes the pipe between them. */
function watchOver(server: ChildProcess, pidFile: string): ChildProcess | null {
  if (process.platform === "win32") return null;
  // A starting server writes its id late, hence the second check.
  const look = '[ "$(head -n 1 "$1" 2>/dev/null)" = "$2" ] && kill -INT "$2" && kill -CONT "$2"';
  const script = `cat >/dev/null; ${look} || { sleep 1; ${look}; }`;
  const guard = spawn("/bin/sh", ["-c", script, "sluice-database-guard", pidFile, String(server.pid)], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  guard.on("error", () => undefined);
  guard.unref();
  (guard.stdin as unknown as { unref?: () => void }).unref?.();
  return guard;
}

function dismiss(guard: ChildProcess | null): void {
  // Before the pipe, whose end would make the shell act.
  guard?.kill("SIGKILL");
  guard?.stdin?.destroy();
}

async function ensureDatabase(url: string, database: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
  } catch (error) {
    if ((error as { code?: string }).code !== "28P01") throw error;
    throw new OperatorError(
      "The database refuses the password in DATA_DIR/postgres.password: put the file back that belongs to this database.",
    );
  }
  try {
    const found = await client.query<{ encoding: string }>(
      "SELECT pg_encoding_to_char(encoding) AS encoding FROM pg_database WHERE datname = $1",
      [database],
    );
    const encoding = found.rows[0]?.encoding;
    if (encoding === undefined) await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`);
    else if (encoding !== "UTF8") {
      throw new OperatorError(`The database "${database}" is encoded in ${encoding}; Sluice needs UTF8.`);
    }
  } finally {
    await client.end();
  }
}

/**
 * URL of the built-in database of a running Sluice.
 * @returns null when it is not running
 */
export async function runningDatabaseUrl(dataDir: string, database = "sluice"): Promise<string | null> {
  const noted = (await readText(elsewhereNote(dataDir))).trim();
  const data = noted || path.join(dataDir, "postgres");
  // postmaster.pid has the process id in line 1, the port in line 4 and the status in line 8.
  const lines = (await readText(path.join(data, "postmaster.pid"))).split("\n");
  const pid = Number(lines[0]);
  const password = (await readText(path.join(dataDir, "postgres.password"))).trim();
  if (!(pid > 0) || !isAlive(pid) || lines[7]?.trim() !== "ready" || password === "") return null;
  return `postgresql://${SUPERUSER}:${password}@127.0.0.1:${Number(lines[3])}/${database}`;
}

function readText(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}

/** Passed at each start, so that changes apply to old data folders. */
export function serverSettings({
  port,
  durable,
}: {
  port: number;
  durable: boolean;
}): Record<string, string> {
  const roomy = totalmem() >= 2 * 1024 ** 3;
  return {
    port: String(port),
    listen_addresses: "127.0.0.1",
    // No socket in a folder writable by others.
    unix_socket_directories: "",
    max_connections: "100",
    shared_buffers: roomy ? "256MB" : "128MB",
    effective_cache_size: roomy ? "1GB" : "512MB",
    work_mem: "8MB",
    maintenance_work_mem: "64MB",
    // The default of 4 is for rotating disks.
    random_page_cost: "1.1",
    // JIT compilation slowed short queries on large tables.
    jit: "off",
    fsync: durable ? "on" : "off",
    synchronous_commit: durable ? "on" : "off",
    full_page_writes: durable ? "on" : "off",
    // Fewer and compressed full-page images (docs/decisions/0001-embedded-postgresql.md); max_wal_size
    // bounds recovery to about 1 GB.
    checkpoint_timeout: "15min",
    wal_compression: "pglz",
    timezone: "UTC",
    log_timezone: "UTC",
    lc_messages: "C",
    logging_collector: "off",
    log_destination: "stderr",
    log_checkpoints: "off",
    // The application logs failed statements; their texts may be private.
    log_min_messages: "log",
    log_min_error_statement: "panic",
  };
}
