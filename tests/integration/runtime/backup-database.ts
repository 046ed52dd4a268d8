import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { inject, onTestFinished } from "vitest";
import { openPromise } from "yauzl";
import yazl from "yazl";
import type { Manifest } from "#lib/runtime/backup/archive.ts";
import { query } from "#tests/setup/database.ts";

export const SECRETS = { AUTH_SECRET: "a".repeat(43), ENCRYPTION_KEY: "e".repeat(43) };

/** An empty database for this test. */
export async function makeDatabase(): Promise<string> {
  const { adminUrl } = inject("databaseServer");
  const name = `restored_${randomBytes(6).toString("hex")}`;
  await query(adminUrl, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
  onTestFinished(async () => {
    await query(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Columns that a restore changes: functions are applied anew, posts are unconfirmed, deliveries paused, alerts wait. */
const CHANGED: Readonly<Record<string, string>> = {
  installation: "- '{restored_from,restored_at,alerts_from}'::text[]",
  post: "- '{confirmed_at,confirmed_by}'::text[]",
  queue_entry: "- '{confirmed_at,holds}'::text[]",
  setting: "#- '{value,deliveries_paused}'",
};

/** All rows, sequences, indexes, constraints, functions and triggers, comparable between databases. */
export async function describeDatabase(url: string): Promise<Record<string, string>> {
  const tables = await query<{ name: string }>(
    url,
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'v')
        AND relname <> 'schema_migration'`,
  );
  const contents = tables.map(({ name }) => {
    const row = name in CHANGED ? `to_jsonb(t) ${CHANGED[name]}` : "t";
    return `SELECT '${name}' AS name, count(*) || ' rows, ' || coalesce(md5(string_agg(line, chr(10) ORDER BY line COLLATE "C")), '') AS definition
              FROM (SELECT (${row})::text AS line FROM ${name} t) lines`;
  });
  const found: Record<string, string> = {};
  const objects = await query<{ name: string; definition: string }>(
    url,
    `${contents.join(" UNION ALL ")} UNION ALL
     SELECT 'sequence ' || sequencename AS name, coalesce(last_value::text, 'unused') AS definition FROM pg_sequences
     UNION ALL SELECT 'migration ' || name, checksum FROM schema_migration
     UNION ALL SELECT 'index ' || indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
     UNION ALL SELECT format('constraint %s %s', conrelid::regclass, conname), pg_get_constraintdef(oid) || convalidated
       FROM pg_constraint WHERE connamespace = 'public'::regnamespace
     UNION ALL SELECT 'function ' || oid::regprocedure, md5(pg_get_functiondef(oid))
       FROM pg_proc WHERE pronamespace = 'public'::regnamespace
     UNION ALL SELECT format('trigger %s %s', tgrelid::regclass, tgname), pg_get_triggerdef(oid)
       FROM pg_trigger WHERE NOT tgisinternal
     UNION ALL SELECT 'statistics ' || stxname, pg_get_statisticsobjdef(oid) FROM pg_statistic_ext`,
  );
  for (const { name, definition } of objects) found[name] = definition;
  return found;
}

/** Copies an archive with other texts in it; null leaves a file out. */
export async function rewriteArchive(
  from: string,
  to: string,
  change: (name: string, text: string) => string | null,
): Promise<void> {
  const source = await openPromise(from, { autoClose: false });
  const target = new yazl.ZipFile();
  for await (const entry of source.eachEntry()) {
    const content = await text(await source.openReadStreamPromise(entry));
    const changed = change(entry.fileName, content);
    if (changed !== null) target.addBuffer(Buffer.from(changed), entry.fileName);
  }
  source.close();
  target.end();
  await pipeline(target.outputStream, createWriteStream(to));
}

/** As `rewriteArchive`, for the manifest. */
export function changeManifest(
  from: string,
  to: string,
  change: (manifest: Manifest) => void,
): Promise<void> {
  return rewriteArchive(from, to, (name, content) => {
    if (name !== "manifest.json") return content;
    const manifest = JSON.parse(content) as Manifest;
    change(manifest);
    return JSON.stringify(manifest);
  });
}
