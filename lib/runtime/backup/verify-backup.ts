import { stat } from "node:fs/promises";
import { readMigrations } from "#lib/runtime/postgres/migrate.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";
import { ArchiveReader } from "./archive-reader.ts";
import { type Manifest, tableFile } from "./manifest.ts";

export type Verified = {
  manifest: Manifest;
  rows: number;
  /** Size of the archive. */
  bytes: number;
};

/**
 * Whether the archive is complete, and can be restored by this version.
 * @throws OperatorError for an archive that is damaged, foreign or of another schema
 */
export async function verifyBackup(file: string): Promise<Verified> {
  const verified = await readBackup(file);
  await requireSameSchema(verified.manifest, file);
  return verified;
}

/** Reads the whole archive and compares it with its checksums. */
export async function readBackup(file: string): Promise<Verified> {
  const archive = await ArchiveReader.open(file);
  try {
    const { manifest } = archive;
    for (const table of manifest.tables)
      for await (const chunk of archive.read(tableFile(table.name), table)) void chunk;
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    return { manifest, rows, bytes: (await stat(file)).size };
  } finally {
    archive.close();
  }
}

async function requireSameSchema({ migrations, sluice_version }: Manifest, file: string): Promise<void> {
  const list = (all: { name: string; checksum: string }[]) =>
    all.map((each) => each.name + each.checksum).join();
  if (list(migrations) === list(await readMigrations())) return;
  throw new OperatorError(
    `${file} was written by another Sluice (version ${sluice_version}, with other tables): restore it with that version. Nothing was changed.`,
  );
}
