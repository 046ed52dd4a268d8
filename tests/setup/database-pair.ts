import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { probePort } from "#lib/runtime/ports.ts";
import { serverEnvironment, SUPERUSER } from "#lib/runtime/postgres/cluster.ts";
import { startEmbeddedPostgres } from "#lib/runtime/postgres/embedded.ts";
import { type Place, preparePlace } from "#lib/runtime/postgres/folder.ts";
import { migrate } from "#lib/runtime/postgres/migrate.ts";
import { serverSettings } from "#lib/runtime/postgres/server-settings.ts";
import { query } from "./database.ts";
import { childrenOf } from "./installation.ts";

export type DatabasePair = {
  /** Of the owner, with the standby as the first host. */
  ownerUrl: string;
  /** Of the application. */
  appUrl: string;
  /** Of the owner, with the standby only. */
  standbyUrl: string;
  /** Kills all processes of the primary at once. */
  killPrimary: () => void;
  promoteStandby: () => Promise<void>;
  stop: () => Promise<void>;
};

/**
 * A migrated primary with a synchronous standby, by the built-in PostgreSQL. The standby begins as a copy of the files,
 * so that no other program is needed.
 */
export async function startDatabasePair(fill: (url: string) => Promise<void>): Promise<DatabasePair> {
  const folder = await mkdtemp(path.join(tmpdir(), "sluice-pair-"));
  // As root, the databases run under another account.
  await chmod(folder, 0o711);
  const dataDir = path.join(folder, "primary");
  const first = await startEmbeddedPostgres({ dataDir, durable: false });
  await migrate(first.url);
  await fill(first.url);
  await first.stop();
  const place = await preparePlace(dataDir, () => undefined);
  const copy = path.join(folder, "standby");
  await mkdir(copy, { mode: 0o711 });
  spawnSync("cp", ["-a", place.data, copy]);
  const ports = [await probePort("127.0.0.1", 0), await probePort("127.0.0.1", 0)] as const;
  const primary = await launch(place, place.data, ports[0], { synchronous_standby_names: "*" });
  const signal = path.join(copy, "postgres", "standby.signal");
  await writeFile(signal, "");
  if (place.account !== null) await chown(signal, place.account.uid, place.account.gid);
  const standby = await launch(place, path.join(copy, "postgres"), ports[1], {
    primary_conninfo: `host=127.0.0.1 port=${ports[0]} user=${SUPERUSER} password=${place.password}`,
  });
  const urlOf = (...hosts: number[]) =>
    `postgresql://${SUPERUSER}:${place.password}@${hosts.map((port) => `127.0.0.1:${port}`).join()}/sluice`;
  const several = (url: string) =>
    `${url.replace(/@[^/]*/, `@127.0.0.1:${ports[1]},127.0.0.1:${ports[0]}`)}?target_session_attrs=read-write`;
  const replicates = async () =>
    (await query(urlOf(ports[0]), "SELECT FROM pg_stat_replication WHERE sync_state = 'sync'")).length === 1;
  for (let tries = 0; !(await replicates()); tries++) {
    if (tries === 100) throw new Error(await readFile(path.join(folder, "pair.log"), "utf8"));
    await sleep(100);
  }
  return {
    ownerUrl: several(first.url),
    appUrl: several(first.url),
    standbyUrl: urlOf(ports[1]),
    killPrimary: () => kill(primary),
    promoteStandby: () => query(urlOf(ports[1]), "SELECT pg_promote()").then(() => undefined),
    stop: async () => {
      for (const server of [primary, standby]) {
        kill(server);
        if (isRunning(server)) await once(server, "exit");
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function launch(
  place: Place,
  data: string,
  port: number,
  extra: Record<string, string>,
): Promise<ChildProcess> {
  // The last of two values counts.
  const settings = { ...serverSettings({ port, durable: false }), synchronous_commit: "on", ...extra };
  const log = openSync(path.join(data, "..", "..", "pair.log"), "a");
  const server = spawn(
    place.binaries.postgres,
    ["-D", data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    { ...place.account, cwd: path.dirname(data), env: serverEnvironment(), stdio: ["ignore", log, log] },
  );
  const isReady = async () => {
    const lines = (await readFile(path.join(data, "postmaster.pid"), "utf8").catch(() => "")).split("\n");
    return lines[0] === String(server.pid) && ["ready", "standby"].includes(lines[7]?.trim() ?? "");
  };
  while (!(await isReady())) {
    if (server.exitCode !== null)
      throw new Error(await readFile(path.join(data, "..", "..", "pair.log"), "utf8"));
    await sleep(20);
  }
  return server;
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

function kill(server: ChildProcess): void {
  const { pid } = server;
  if (pid === undefined || !isRunning(server)) return;
  for (const process_id of [pid, ...childrenOf(pid, "postgres")]) process.kill(process_id, "SIGKILL");
}
