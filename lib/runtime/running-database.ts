import { readFile } from "node:fs/promises";
import path from "node:path";
import { SUPERUSER } from "./postgres-init.ts";
import { elsewhereNote } from "./postgres-place.ts";
import { isAlive } from "./process-info.ts";

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
