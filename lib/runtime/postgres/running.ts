import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SUPERUSER } from "./cluster.ts";
import { canConnect } from "./connect.ts";

/** Longest path of a Unix socket on macOS; Linux has 107. */
const SOCKET_PATH_LIMIT = 103;

/**
 * URL of the built-in database of a running Sluice: on 127.0.0.1, else by its Unix socket, because
 * another container has another 127.0.0.1. A password proves that it is this database.
 * @param patienceMs to wait for a starting server
 * @returns null when it cannot be reached
 */
export async function runningDatabaseUrl(
  dataDir: string,
  database = "sluice",
  patienceMs = 0,
): Promise<string | null> {
  for (const end = Date.now() + patienceMs; ; await sleep(250)) {
    const urls = await candidates(dataDir, database);
    for (const url of urls) if (await canConnect(url)) return url;
    if (urls.length > 0 || Date.now() >= end) return null;
  }
}

async function candidates(dataDir: string, database: string): Promise<string[]> {
  const data = path.join(dataDir, "postgres");
  // postmaster.pid has the port in line 4 and the status in line 8.
  const lines = (await readText(path.join(data, "postmaster.pid"))).split("\n");
  const password = (await readText(path.join(dataDir, "postgres.password"))).trim();
  if (lines[7]?.trim() !== "ready" || password === "") return [];
  const url = `postgresql://${SUPERUSER}:${password}@127.0.0.1:${Number(lines[3])}/${database}`;
  const socket = path.join(data, `.s.PGSQL.${Number(lines[3])}`);
  if (Buffer.byteLength(socket) > SOCKET_PATH_LIMIT) return [url];
  return [url, `${url}?host=${encodeURIComponent(data)}`];
}

function readText(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}
