import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { startEmbeddedPostgres } from "#lib/runtime/postgres/embedded.ts";
import { migrate } from "#lib/runtime/postgres/migrate.ts";
import { runningDatabaseUrl } from "#lib/runtime/postgres/access.ts";
import { query } from "#tests/setup/database.ts";
import { makeFolder } from "#tests/setup/folder.ts";
import { start } from "./command-process.ts";

/*
 * Processes on one data folder that do not see each other's process ids, as in two containers on one volume.
 * `unshare` makes the namespaces of a container.
 */

const CONTAINER = ["--pid", "--fork", "--kill-child", "--mount-proc", "--ipc"];
const canUnshare = spawnSync("unshare", [...CONTAINER, "--net", "true"]).status === 0;
if (!canUnshare)
  console.log(
    "Tests of two containers on one data folder are skipped: `unshare` may not make namespaces here.",
  );

let dataDir: string;

beforeEach(() => {
  dataDir = makeFolder();
});

/** Runs Node; with options of `unshare` in namespaces of its own. */
function run(options: string[], [file = "", ...args]: string[]) {
  const prefix = options.length === 0 ? [] : ["unshare", ...options];
  return start(file, args, { DATA_DIR: dataDir, PORT: "0" }, prefix);
}

/** Starts the database and writes numbers; prints each one after its commit. */
async function startWriter(options: string[]) {
  const script = path.join(dataDir, "writer.mjs");
  writeFileSync(
    script,
    `import pg from ${JSON.stringify(import.meta.resolve("pg"))};
     import { startEmbeddedPostgres } from ${JSON.stringify(path.resolve("lib/runtime/postgres/embedded.ts"))};
     const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)} });
     const client = new pg.Client({ connectionString: server.url });
     await client.connect();
     await client.query("CREATE TABLE IF NOT EXISTS kept (n serial, filler text)");
     for (;;) {
       const { rows } = await client.query("INSERT INTO kept (filler) VALUES (repeat('x', 500)) RETURNING n");
       await client.query("CHECKPOINT");
       console.log("wrote " + rows[0].n);
     }`,
  );
  const writer = run(options, [script]);
  const last = () => Number(/(?:[\s\S]*\n|^)wrote (\d+)\n/.exec(writer.output())?.[1] ?? 0);
  const progress = async () => {
    const before = last();
    await expect
      .poll(() => (writer.child.exitCode === null ? last() : writer.output()), { timeout: 60_000 })
      .toBeGreaterThan(before + 3);
  };
  await progress();
  return { ...writer, last, progress };
}

/** Milliseconds that the start took. */
async function expectCompleteAfterRestart(last: number): Promise<number> {
  const begun = performance.now();
  const server = await startEmbeddedPostgres({ dataDir });
  const took = performance.now() - begun;
  try {
    const [kept] = await query<{ n: number }>(server.url, "SELECT max(n) AS n FROM kept");
    expect(kept?.n).toBeGreaterThanOrEqual(last);
  } finally {
    await server.stop();
  }
  return took;
}

const createAccount = ["lib/runtime/cli/cli.ts", "create-account", "--email", "second@example.org"];

describe.skipIf(!canUnshare)("in another container on the same data folder", { timeout: 180_000 }, () => {
  test("a command with the same network uses the database of the running service", async () => {
    const writer = await startWriter([]);
    await migrate((await runningDatabaseUrl(dataDir)) ?? "");
    const pidFile = readFileSync(path.join(dataDir, "postgres", "postmaster.pid"), "utf8");
    const command = run(CONTAINER, createAccount);
    expect(await command.ended).toEqual({
      code: 0,
      output: expect.stringContaining("Created the account") as string,
    });
    expect(readFileSync(path.join(dataDir, "postgres", "postmaster.pid"), "utf8")).toBe(pidFile);
    await writer.progress();
    writer.child.kill("SIGKILL");
    await writer.ended;
    await expectCompleteAfterRestart(writer.last());
  });

  test("a command that cannot reach the running database is refused and changes nothing", async () => {
    const writer = await startWriter([]);
    const pidFile = path.join(dataDir, "postgres", "postmaster.pid");
    const content = readFileSync(pidFile, "utf8");
    const command = run([...CONTAINER, "--net"], createAccount);
    expect((await command.ended).code).toBe(1);
    expect(command.output()).toMatch(
      /^Sluice already runs on .+ \(process \d+ on .+\): stop that one.+ Its database cannot be reached from here/,
    );
    expect(readFileSync(pidFile, "utf8")).toBe(content);
    await writer.progress();
  });

  test("a second start is refused within seconds and changes nothing", async () => {
    const writer = await startWriter(CONTAINER);
    const pidFile = readFileSync(path.join(dataDir, "postgres", "postmaster.pid"), "utf8");
    for (const options of [[], CONTAINER]) {
      const second = run(options, ["lib/runtime/supervisor/start.ts"]);
      expect((await second.ended).code).toBe(1);
      expect(second.output()).toContain(`Sluice already runs on ${dataDir} (process 1 on `);
    }
    expect(readFileSync(path.join(dataDir, "postgres", "postmaster.pid"), "utf8")).toBe(pidFile);
    await writer.progress();
  });

  test("a container killed as a whole leaves a folder that the next one, with the same process ids, uses at once", async () => {
    const first = await startWriter(CONTAINER);
    first.child.kill("SIGKILL");
    await first.ended;
    const begun = performance.now();
    const second = await startWriter(CONTAINER);
    expect(performance.now() - begun).toBeLessThan(9_000);
    expect(second.last()).toBeGreaterThan(first.last());
    second.child.kill("SIGKILL");
    await second.ended;
    expect(await expectCompleteAfterRestart(second.last())).toBeLessThan(9_000);
  });

  test("a database server that outlives its supervisor is waited for, also where its process id is invisible", async () => {
    // The shell is the container's first process, so that the container outlives the supervisor.
    const writer = await startWriter([...CONTAINER, "sh", "-c", '"$@" & wait; sleep 60', "sh"]);
    const pids = (pattern: string) =>
      spawnSync("pgrep", ["-f", pattern], { encoding: "utf8" }).stdout.trim().split("\n").map(Number);
    const server = pids(`postgres -D ${dataDir}`)[0] ?? 0;
    const [supervisor = 0] = pids(`^${process.execPath} .*${dataDir}/writer`);
    process.kill(supervisor, "SIGKILL");
    // A zombie's threads may still hold the lock.
    await expect.poll(() => existsSync(`/proc/${supervisor}`)).toBe(false);
    const starting = expectCompleteAfterRestart(writer.last());
    const settled = await Promise.race([
      starting.then(() => "started beside the other server"),
      new Promise((resolve) => setTimeout(() => resolve("waits"), 2_000)),
    ]);
    expect(settled).toBe("waits");
    expect(existsSync(path.join(dataDir, "postgres", "postmaster.pid"))).toBe(true);
    process.kill(server, "SIGINT");
    await starting;
  });
});
