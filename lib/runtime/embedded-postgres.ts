import { spawn, type ChildProcess } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import {
  chmod,
  chown,
  mkdir,
  open,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  statfs,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { probePort } from "./listen-probe.ts";
import { OperatorError } from "./operator-error.ts";
import { canReach, databaseAccount, type Account } from "./postgres-account.ts";
import { copyPostgres, findPostgres, type PostgresBinaries } from "./postgres-binaries.ts";
import { clearLeftovers } from "./postgres-leftovers.ts";
import { serverSettings } from "./postgres-settings.ts";

const SUPERUSER = "sluice";
const OUTSIDE = "/var/lib/sluice";
const ROOM_NEEDED = 200 * 1024 * 1024;

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

type Place = {
  binaries: PostgresBinaries;
  data: string;
  log: string;
  account: Account | null;
  password: string;
};

/**
 * Starts the PostgreSQL that comes with Sluice on the data below DATA_DIR, making both when missing.
 * @throws OperatorError with a sentence for everything the operator can put right
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { database = "sluice", durable = true, say = () => undefined } = options;
  const place = await preparePlace(options.dataDir, say);
  await clearLeftovers(place.data);
  if (!existsSync(path.join(place.data, "PG_VERSION"))) await initialise(place, durable);
  await checkVersion(place);
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await probePort("127.0.0.1", 0));
    try {
      const server = await launch(place, port, durable, say);
      const url = `postgresql://${SUPERUSER}:${place.password}@127.0.0.1:${port}/`;
      try {
        await ensureDatabase(`${url}postgres`, database);
      } catch (error) {
        await server.stop();
        throw error;
      }
      return { url: `${url}${database}`, port, ...server };
    } catch (error) {
      // Another program may take the port between asking for it and using it; and backends of a killed
      // server need a moment to notice that it is gone.
      const passing = /could not bind|Address already in use|shared memory block/i.test(String(error));
      if (!passing || attempt >= 20) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}

async function preparePlace(dataDir: string, say: (sentence: string) => void): Promise<Place> {
  const asRoot = process.getuid?.() === 0;
  try {
    // Root's own folder must let the database account through; its secrets have their own modes.
    await mkdir(dataDir, { recursive: true, mode: asRoot ? 0o711 : 0o700 });
  } catch (error) {
    throw new OperatorError(
      `DATA_DIR ${dataDir} cannot be made (${(error as Error).message}): choose another.`,
    );
  }
  let binaries = await findPostgres();
  let data = path.join(dataDir, "postgres");
  const account = await databaseAccount(data);
  if (account !== null) {
    if (!(await canReach(data, account))) {
      const name = createHash("sha256").update(dataDir).digest("hex").slice(0, 12);
      data = path.join(OUTSIDE, name, "postgres");
      await mkdir(path.dirname(data), { recursive: true, mode: 0o711 });
      await writeFile(path.join(dataDir, "postgres-is-elsewhere.txt"), `${data}\n`);
      say(`The database account cannot reach ${dataDir}, so the database's files are in ${data}.`);
    }
    if (!(await canReach(binaries.postgres, account))) {
      const copy = path.join(OUTSIDE, `postgresql-${binaries.major}-${await fingerprint(binaries)}`);
      if (!existsSync(copy))
        say(`The database account cannot reach ${binaries.folder}: copying it to ${copy}.`);
      binaries = await copyPostgres(binaries, copy);
    }
  }
  const found = await stat(data).catch(() => null);
  if (found !== null && account === null && process.getuid !== undefined && found.uid !== process.getuid()) {
    throw new OperatorError(
      `The database files in ${data} belong to another user (id ${found.uid}): start Sluice as that user, or give them to yours with chown -R.`,
    );
  }
  const log = path.join(dataDir, "postgres.log");
  return { binaries, data, log, account, password: await keptPassword(dataDir) };
}

async function fingerprint(binaries: PostgresBinaries): Promise<string> {
  const { size, mtimeMs } = await stat(binaries.postgres);
  return createHash("sha256").update(`${size}:${mtimeMs}`).digest("hex").slice(0, 8);
}

async function keptPassword(dataDir: string): Promise<string> {
  const file = path.join(dataDir, "postgres.password");
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") {
      throw new OperatorError(`${file} cannot be read: start Sluice as the user who started it before.`);
    }
  }
  const password = randomBytes(24).toString("base64url");
  const half = `${file}.${process.pid}`;
  await writeFile(half, `${password}\n`, { mode: 0o600 });
  await rename(half, file);
  return password;
}

async function initialise(place: Place, durable: boolean): Promise<void> {
  const parent = path.dirname(place.data);
  for (const name of await readdir(parent)) {
    // What an interrupted first start left: never used, since a finished one is renamed.
    if (name.startsWith("postgres.new-")) await rm(path.join(parent, name), { recursive: true, force: true });
  }
  if (existsSync(place.data) && (await readdir(place.data)).length > 0) {
    throw new OperatorError(
      `${place.data} holds files but no PostgreSQL data: move them away, or set DATA_DIR.`,
    );
  }
  const disk = await statfs(parent);
  if (disk.bavail * disk.bsize < ROOM_NEEDED) {
    throw new OperatorError(`The disk of ${parent} is full: a new database needs at least 200 MB.`);
  }
  const half = path.join(parent, `postgres.new-${process.pid}`);
  const passwordFile = `${half}.password`;
  await mkdir(half, { mode: 0o700 });
  await writeFile(passwordFile, `${place.password}\n`, { mode: 0o600 });
  if (place.account !== null) {
    await chown(half, place.account.uid, place.account.gid);
    await chown(passwordFile, place.account.uid, place.account.gid);
  }
  try {
    await run(place, place.binaries.initdb, [
      `--pgdata=${half}`,
      `--username=${SUPERUSER}`,
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      // PostgreSQL's own C.UTF-8: the same order and case rules on every system and after every update of
      // its C library, and compared byte by byte, which is faster than asking that library.
      "--locale=C",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      ...(durable ? [] : ["--no-sync"]),
    ]);
    await rm(place.data, { recursive: true, force: true });
    await rename(half, place.data);
  } catch (error) {
    await rm(half, { recursive: true, force: true });
    throw error;
  } finally {
    await rm(passwordFile, { force: true });
  }
}

async function run(place: Place, command: string, parameters: string[]): Promise<void> {
  const child = spawn(command, parameters, {
    ...place.account,
    cwd: path.dirname(place.data),
    env: serverEnvironment(),
    stdio: ["ignore", "ignore", "pipe"],
  });
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
  const code = await new Promise<number | string>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status, signal) => resolve(status ?? signal ?? "?"));
  });
  if (code !== 0) throw explain(complaint, `${path.basename(command)} ended with ${code}`);
}

function serverEnvironment(): NodeJS.ProcessEnv {
  const kept: NodeJS.ProcessEnv = { LC_ALL: "C", PATH: process.env.PATH, NODE_ENV: process.env.NODE_ENV };
  if (process.env.TMPDIR !== undefined) kept.TMPDIR = process.env.TMPDIR;
  return kept;
}

async function checkVersion(place: Place): Promise<void> {
  const version = (await readFile(path.join(place.data, "PG_VERSION"), "utf8")).trim();
  if (version === place.binaries.major) return;
  throw new OperatorError(
    `The data in ${place.data} was written by PostgreSQL ${version}, and this Sluice brings ${place.binaries.major}: export it with the older Sluice (pg_dump), move the folder away and import it again, or run PostgreSQL ${version} yourself and set DATABASE_URL.`,
  );
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
  let gone = false;
  void exited.then(() => (gone = true));
  const pidFile = path.join(place.data, "postmaster.pid");
  const guard = watchOver(server, pidFile);
  const begun = Date.now();
  for (let told = false; !(await isReady(pidFile, server));) {
    if (gone) {
      dismiss(guard);
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
    if (!gone) {
      server.kill("SIGINT");
      const late = setTimeout(() => server.kill("SIGQUIT"), 20_000);
      await exited;
      clearTimeout(late);
    }
    dismiss(guard);
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
  const look = '[ "$(head -n 1 "$1" 2>/dev/null)" = "$2" ] && kill -INT "$2"';
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
  await client.connect();
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

function explain(complaint: string, otherwise: string): Error {
  if (/No space left on device/i.test(complaint)) {
    return new OperatorError("The disk is full: the database cannot start until there is room.");
  }
  const lines = complaint.split("\n").filter((line) => /FATAL|PANIC|error|could not/i.test(line));
  return new OperatorError(`${otherwise}${lines.length > 0 ? `: ${lines.slice(-2).join(" ").trim()}` : ""}.`);
}
