import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type pg from "pg";

/* Functions and triggers are defined once, with CREATE OR REPLACE, and applied after the migrations. */

const FOLDER = fileURLToPath(new URL("../../../prisma/functions/", import.meta.url));

export type DatabaseFunctions = {
  script: string;
  checksum: string;
  /** "function name(parameters) RETURNS type" or "trigger name on table". */
  signatures: string[];
};

/** Reads prisma/functions/*.sql in the order of their names, with a checksum of all. */
export async function readFunctions(): Promise<DatabaseFunctions> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith(".sql")).sort();
  const scripts = await Promise.all(names.map((name) => readFile(path.join(FOLDER, name), "utf8")));
  const script = scripts.join("\n");
  const functions = script.matchAll(/^CREATE OR REPLACE FUNCTION (\w+\s*\([\s\S]*?)\sLANGUAGE\b/gm);
  const triggers = script.matchAll(/^CREATE OR REPLACE TRIGGER (\w+)[\s\S]*?\bON (\w+)/gm);
  return {
    script,
    checksum: createHash("sha256").update(script).digest("hex"),
    signatures: [
      ...[...functions].map(([, signature = ""]) => `function ${signature.replace(/\s+/g, " ")}`),
      ...[...triggers].map(([, name, table]) => `trigger ${name} on ${table}`),
    ],
  };
}

/**
 * Applies the script when its checksum has changed, after dropping removed definitions and those with
 * another signature.
 * @param client in a transaction that holds the migration lock
 */
export async function applyFunctions(
  client: pg.Client,
  functions: Readonly<DatabaseFunctions>,
): Promise<void> {
  const { rows } = await client.query<{ checksum: string | null; signatures: string[] }>(
    "SELECT functions_checksum AS checksum, functions AS signatures FROM installation",
  );
  const applied = rows[0];
  if (applied?.checksum === functions.checksum) return;
  for (const signature of applied?.signatures ?? []) {
    if (!functions.signatures.includes(signature)) await drop(client, signature);
  }
  // Functions may call functions of later files.
  await client.query("SET LOCAL check_function_bodies = off");
  await client.query(functions.script);
  await client.query("UPDATE installation SET functions_checksum = $1, functions = $2", [
    functions.checksum,
    functions.signatures,
  ]);
}

async function drop(client: pg.Client, signature: string): Promise<void> {
  const trigger = /^trigger (\w+) on (\w+)$/.exec(signature);
  if (trigger !== null) {
    await client.query(`DROP TRIGGER IF EXISTS ${trigger[1]} ON ${trigger[2]}`);
    return;
  }
  const { rows } = await client.query<{ name: string }>(
    `SELECT oid::regprocedure::text AS name FROM pg_proc
      WHERE proname = $1 AND pronamespace = current_schema()::regnamespace`,
    [/^function (\w+)/.exec(signature)?.[1]],
  );
  // The script creates the dropped triggers again.
  for (const { name } of rows) await client.query(`DROP FUNCTION ${name} CASCADE`);
}
