import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { probePort } from "#lib/runtime/ports.ts";

const PROGRAM = process.env.PGBOUNCER ?? "pgbouncer";

/** Whether this machine has PgBouncer, in PATH or named by PGBOUNCER. Without it, tests of the pooler are skipped. */
export const hasPooler = spawnSync(PROGRAM, ["--version"]).status === 0;

export interface Pooler {
  /** Of the database, through the pooler. */
  url: string;
  stop: () => Promise<void>;
}

interface PoolerOptions {
  /** Connections to the server. */
  size: number;
  /** Seconds until a failed connection to the server is tried again. */
  retry: number;
}

/**
 * PgBouncer in transaction mode.
 *
 * @param databaseUrl where it connects to
 */
export async function startPooler(databaseUrl: string, { size, retry }: PoolerOptions): Promise<Pooler> {
  const folder = mkdtempSync(path.join(tmpdir(), "sluice-pooler-"));
  chmodSync(folder, 0o755);
  const port = await probePort("127.0.0.1", 0);
  const { hostname, port: serverPort, username, password, pathname } = new URL(databaseUrl);
  const name = pathname.slice(1);
  const file = path.join(folder, "pgbouncer.ini");
  const settings = [
    "[databases]",
    `${name} = host=${hostname} port=${serverPort} user=${decodeURIComponent(username)} password='${decodeURIComponent(password)}'`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    `default_pool_size = ${size}`,
    `server_login_retry = ${retry}`,
    "max_client_conn = 500",
  ];
  writeFileSync(file, `${settings.join("\n")}\n`);
  // It refuses to run as root.
  const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn(PROGRAM, ["-q", file], { ...account, stdio: ["ignore", "ignore", "pipe"] });
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => (complaint += chunk.toString()));
  const ended = once(child, "exit");
  const stop = async () => {
    child.kill("SIGQUIT");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  for (let tries = 0; !(await accepts(port)); tries++) {
    if (child.exitCode !== null || tries === 100) {
      throw new Error(`PgBouncer did not start: ${complaint}\n${readFileSync(file, "utf8")}`);
    }
    await sleep(50);
  }
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  return { url: url.href, stop };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const settle = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.once("connect", () => settle(true));
    socket.once("error", () => settle(false));
  });
}
