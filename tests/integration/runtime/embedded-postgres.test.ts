import { fork, spawn, type ChildProcess } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, afterEach, expect, test } from "vitest";
import { startEmbeddedPostgres, type EmbeddedPostgres } from "#lib/runtime/postgres/embedded.ts";
import { runningDatabaseUrl } from "#lib/runtime/postgres/access.ts";
import { isAlive } from "#lib/runtime/processes.ts";
import { query } from "#tests/setup/database.ts";
import { makeFolder } from "#tests/setup/folder.ts";

const dataDir = makeFolder(afterAll);
let server: EmbeddedPostgres | undefined;
const children: ChildProcess[] = [];

afterEach(async () => {
  await server?.stop();
  server = undefined;
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

async function start(): Promise<EmbeddedPostgres> {
  server = await startEmbeddedPostgres({ dataDir, durable: false });
  return server;
}

const ask = <T extends object>(statement: string) => query<T>(server?.url ?? "", statement);

function serverPid(): number {
  return Number(readFileSync(path.join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
}

test("a first start makes a UTF8 database that only this machine and this password reach", async () => {
  const { url } = await start();
  const [facts] = await ask<{ encoding: string; listens: string; sockets: string; lower: string }>(
    `SELECT current_setting('server_encoding') AS encoding, current_setting('listen_addresses') AS listens,
            current_setting('unix_socket_directories') AS sockets, lower('ÄÉ') AS lower`,
  );
  expect(facts).toEqual({ encoding: "UTF8", listens: "127.0.0.1", sockets: "", lower: "äé" });
  expect(statSync(path.join(dataDir, "postgres.password")).mode & 0o777).toBe(0o600);
  const stranger = new URL(url);
  stranger.password = "guessed";
  await expect(new pg.Client({ connectionString: stranger.href }).connect()).rejects.toThrow(/password/);
});

test("rows are there at the next start", async () => {
  await start();
  await ask("CREATE TABLE kept AS SELECT 42 AS answer");
  await server?.stop();
  await start();
  expect(await ask("SELECT answer FROM kept")).toEqual([{ answer: 42 }]);
});

test("a killed server is started again on its data", async () => {
  await start();
  process.kill(serverPid(), "SIGKILL");
  await server?.exited;
  await server?.stop();
  await start();
  expect(await ask("SELECT answer FROM kept")).toEqual([{ answer: 42 }]);
});

test("a frozen server is stopped without losing data", async () => {
  await start();
  process.kill(serverPid(), "SIGSTOP");
  await server?.stop();
  await start();
  expect(await ask("SELECT answer FROM kept")).toEqual([{ answer: 42 }]);
});

test("a postmaster.pid with a foreign process id neither stops that process nor blocks the start", async () => {
  const bystander = spawn("sleep", ["60"]);
  children.push(bystander);
  writeFileSync(path.join(dataDir, "postgres", "postmaster.pid"), `${bystander.pid}\n${dataDir}/postgres\n`);
  await start();
  expect(isAlive(bystander.pid ?? 0)).toBe(true);
});

test("the next start stops a server whose parent was killed, even a suspended one", async () => {
  const script = path.join(dataDir, "parent.mjs");
  writeFileSync(
    script,
    `import { startEmbeddedPostgres } from ${JSON.stringify(path.resolve("lib/runtime/postgres/embedded.ts"))};
     await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, durable: false });
     process.send("started");`,
  );
  const parent = fork(script, { execArgv: ["--disable-warning=ExperimentalWarning"] });
  children.push(parent);
  await new Promise((resolve) => parent.once("message", resolve));
  const pid = serverPid();
  process.kill(pid, "SIGSTOP");
  parent.kill("SIGKILL");
  expect(isAlive(pid)).toBe(true);
  await start();
  expect(isAlive(pid)).toBe(false);
  expect(await ask("SELECT answer FROM kept")).toEqual([{ answer: 42 }]);
});

test("files in use by another running Sluice are left alone", async () => {
  const { url } = await start();
  await expect(startEmbeddedPostgres({ dataDir, durable: false })).rejects.toThrow(/^Sluice already runs on/);
  expect(await runningDatabaseUrl(dataDir)).toBe(url);
});

test("data of another PostgreSQL version is named as such", async () => {
  const file = path.join(dataDir, "postgres", "PG_VERSION");
  const version = readFileSync(file, "utf8");
  writeFileSync(file, "14\n");
  await expect(start()).rejects.toThrow(/was written by PostgreSQL 14, and this Sluice includes 18/);
  writeFileSync(file, version);
});

test("a lost password is told, not guessed around", async () => {
  const file = path.join(dataDir, "postgres.password");
  const password = readFileSync(file, "utf8");
  writeFileSync(file, `${"another".repeat(5)}\n`);
  await expect(start()).rejects.toThrow(/put the file back/);
  writeFileSync(file, password);
});
