import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type pg from "pg";

/* Functions and triggers are defined once, with CREATE OR REPLACE, and applied after the migrations. */

const FOLDER = fileURLToPath(new URL("../../../prisma/functions/", import.meta.url));

/** prisma/functions/*.sql in the order of their names, with a checksum of all. */
export async function readFunctions(): Promise<{ script: string; checksum: string }> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith(".sql")).sort();
  const scripts = await Promise.all(names.map((name) => readFile(path.join(FOLDER, name), "utf8")));
  const script = scripts.join("\n");
  return { script, checksum: createHash("sha256").update(script).digest("hex") };
}

export async function areFunctionsCurrent(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ checksum: string | null }>(
    "SELECT functions_checksum AS checksum FROM installation",
  );
  return rows[0]?.checksum === (await readFunctions()).checksum;
}

/** @param client in a transaction that holds the migration lock */
export async function applyFunctions(client: pg.Client): Promise<void> {
  const { script, checksum } = await readFunctions();
  // Functions may call functions of later files.
  await client.query("SET LOCAL check_function_bodies = off");
  await client.query(script);
  await client.query("UPDATE installation SET functions_checksum = $1", [checksum]);
}
