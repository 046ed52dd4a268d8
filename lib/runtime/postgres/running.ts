import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SUPERUSER } from "./cluster.ts";
import { connect } from "./connect.ts";

/**
 * URL of the built-in database of a running Sluice. A password proves that it is this database.
 * @param patienceMs to wait for a starting server
 * @returns null when it cannot be reached, as from another container, which has another 127.0.0.1
 */
export async function runningDatabaseUrl(dataDir: string, patienceMs = 0): Promise<string | null> {
  const read = (name: string) => readFile(path.join(dataDir, name), "utf8").catch(() => "");
  for (const end = Date.now() + patienceMs; ; await sleep(250)) {
    // The port in line 4 and the status in line 8.
    const lines = (await read("postgres/postmaster.pid")).split("\n");
    const password = (await read("postgres.password")).trim();
    if (lines[7]?.trim() === "ready" && password !== "") {
      const url = `postgresql://${SUPERUSER}:${password}@127.0.0.1:${Number(lines[3])}/sluice`;
      return connect(url, "sluice-command", 0).then(
        (client) => client.end().then(() => url),
        () => null,
      );
    }
    if (Date.now() >= end) return null;
  }
}
