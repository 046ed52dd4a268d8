import { type ChildProcess, spawn } from "node:child_process";
import { chmod, open, readFile, rename, stat } from "node:fs/promises";
import { totalmem } from "node:os";
import path from "node:path";
import pg from "pg";
import { probePort } from "../ports.ts";
import { isAlive, tryLock, unlock } from "../processes.ts";
import { OperatorError } from "../terminal.ts";
import { clearLeftovers, ensureCluster, explain, serverEnvironment, SUPERUSER } from "./cluster.ts";
import { elsewhereNote, type Place, preparePlace } from "./folder.ts";

export type EmbeddedPostgresOptions = {
  /** DATA_DIR, absolute. */
  dataDir: string;
  /** Database that is made when missing and that the URL names. */
  database?: string;
  /** False only for tests: nothing is forced to the disk. */
  durable?: boolean;
  /** The port to listen on; one from the system when left out. */
  port?: number;
  /** Receives whole sentences for the person at the terminal. */
  say?: (sentence: string) => void;
};

export type EmbeddedPostgres = {
  url: string;
  port: number;
  /** Resolves when the server is gone, for whatever reason. */
  exited: Promise<void>;
  /** Shuts down in order: open connections are cut, everything is on the disk. */
  stop: () => Promise<void>;
  /** Ends it at once, as a crash would; the next start recovers. */
  kill: () => void;
};

/**
 * Starts the PostgreSQL that comes with Sluice on the data below DATA_DIR, making both when missing.
 * @throws OperatorError with a sentence for everything the operator can put right
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
      // Another program may take the port between asking for it and using it; and backends of a killed
      // server need a moment to notice that it is gone.
      const passing = /could not bind|Address already in use|shared memory block/i.test(String(error));
      if (!passing || attempt >= 20) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}

/** Of two processes that mean the same files (a copied DATA_DIR, say) the second must not stop the first's server. */
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
    // Its own process group: Ctrl-C at the terminal reaches the supervisor, which stops it last.
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
      say("The database is putting itself in order after an unclean stop; this can take a while.");
    }
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  const stop = async () => {
    if (gone) return;
    server.kill("SIGINT");
    // Somebody may have stopped it (SIGSTOP): then it hears of nothing until it goes on.
    server.kill("SIGCONT");
    const late = setTimeout(() => server.kill("SIGQUIT"), 20_000);
    // Its log makes good what a kill breaks off.
    const last = setTimeout(() => server.kill("SIGKILL"), 30_000);
    await exited;
    clearTimeout(late);
    clearTimeout(last);
  };
  return { exited, stop, kill: () => void server.kill("SIGQUIT") };
}

/** PostgreSQL writes "ready" into the eighth line of postmaster.pid once it takes connections. */
async function isReady(pidFile: string, server: ChildProcess): Promise<boolean> {
  const lines = (await readFile(pidFile, "utf8").catch(() => "")).split("\n");
  return lines[0] === String(server.pid) && lines[7]?.trim() === "ready";
}

/**
 * A few kilobytes of shell that shut the server down in order when this process ends without having done so
 * (SIGKILL, out of memory): the pipe to it closes then, whatever the reason.
 */
function watchOver(server: ChildProcess, pidFile: string): ChildProcess | null {
  if (process.platform === "win32") return null;
  // A server that is just starting has not written its number yet, hence the second look.
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
  // First the shell, so that it does not act on the pipe's end.
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
      "The database does not know the password in DATA_DIR/postgres.password: put the file back that belongs to it.",
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
 * The address of the built-in database that a running Sluice has started.
 * @param dataDir DATA_DIR, absolute
 * @returns null when it is not running
 */
export async function runningDatabaseUrl(dataDir: string, database = "sluice"): Promise<string | null> {
  const noted = (await readText(elsewhereNote(dataDir))).trim();
  const data = noted || path.join(dataDir, "postgres");
  // See the PostgreSQL documentation, "Database File Layout": process id, …, port in line 4, …, status in line 8.
  const lines = (await readText(path.join(data, "postmaster.pid"))).split("\n");
  const pid = Number(lines[0]);
  const password = (await readText(path.join(dataDir, "postgres.password"))).trim();
  if (!(pid > 0) || !isAlive(pid) || lines[7]?.trim() !== "ready" || password === "") return null;
  return `postgresql://${SUPERUSER}:${password}@127.0.0.1:${Number(lines[3])}/${database}`;
}

function readText(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}

/** What the built-in server is told at each start, so that an update of Sluice reaches old data folders. */
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
    // Nothing else may connect: no socket in a folder that others can write to.
    unix_socket_directories: "",
    max_connections: "100",
    shared_buffers: roomy ? "256MB" : "128MB",
    effective_cache_size: roomy ? "1GB" : "512MB",
    work_mem: "8MB",
    maintenance_work_mem: "64MB",
    // Small servers have solid-state disks nowadays; the default of 4 is for turning ones.
    random_page_cost: "1.1",
    // Compiling pays for queries that take seconds; it made short ones over large tables slower.
    jit: "off",
    fsync: durable ? "on" : "off",
    synchronous_commit: durable ? "on" : "off",
    full_page_writes: durable ? "on" : "off",
    // After a checkpoint the first change of a page writes all of it into the log. Among a million posts nearly every
    // change is a page's first, and that is most of what is written: so fewer checkpoints, and the pages packed. What
    // there is to read again after a crash is bounded as before, by max_wal_size (1 GB).
    checkpoint_timeout: "15min",
    wal_compression: "pglz",
    timezone: "UTC",
    log_timezone: "UTC",
    lc_messages: "C",
    logging_collector: "off",
    log_destination: "stderr",
    log_checkpoints: "off",
    // Failed statements are the application's to report; here they could carry what people wrote.
    log_min_messages: "log",
    log_min_error_statement: "panic",
  };
}
