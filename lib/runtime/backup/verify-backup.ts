import { stat } from "node:fs/promises";
import { type Migration, readMigrations } from "#lib/runtime/postgres/migrate.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";
import { ArchiveReader } from "./archive-reader.ts";
import { FUNCTIONS, type Manifest, SECRETS, tableFile } from "./manifest.ts";
import { openSecrets, type Secrets } from "./seal-secrets.ts";

export type Verified = {
  manifest: Manifest;
  rows: number;
  /** Size of the archive. */
  bytes: number;
  /** null if they are left out or no passphrase is given */
  secrets: Secrets | null;
};

/**
 * Reads the whole archive and compares it with its checksums; with a passphrase also opens the secrets.
 * @throws OperatorError for an archive that is damaged or foreign, and for a wrong passphrase
 */
export async function verifyBackup(file: string, passphrase?: string): Promise<Verified> {
  const archive = await ArchiveReader.open(file);
  try {
    const { manifest } = archive;
    for (const table of manifest.tables) await drain(archive.read(tableFile(table.name), table));
    await drain(archive.read(FUNCTIONS, manifest.functions));
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    return { manifest, rows, bytes: (await stat(file)).size, secrets: await unseal(archive, passphrase) };
  } finally {
    archive.close();
  }
}

async function unseal(archive: ArchiveReader, passphrase: string | undefined): Promise<Secrets | null> {
  if (archive.manifest.secrets === "left out") return null;
  const sealed = await archive.readText(SECRETS);
  if (passphrase === undefined) return null;
  const secrets = await openSecrets(sealed, passphrase, archive.manifestText);
  if (secrets !== null) return secrets;
  throw new OperatorError(
    `BACKUP_PASSPHRASE does not open the secrets in ${archive.file}: it is another passphrase, or the archive was changed.`,
  );
}

/**
 * @returns the migrations of the archive, oldest first
 * @throws OperatorError when this version cannot restore it
 */
export async function migrationsOf(manifest: Manifest, file: string): Promise<Migration[]> {
  const known = new Map((await readMigrations()).map((migration) => [migration.name, migration]));
  return manifest.migrations.map(({ name, checksum }) => {
    const migration = known.get(name);
    if (migration === undefined) {
      throw new OperatorError(
        `${file} was written by a newer Sluice (it has the migration ${name}; version ${manifest.sluice_version}): restore it with that version.`,
      );
    }
    if (migration.checksum !== checksum) {
      throw new OperatorError(
        `${file} was written by another Sluice (its migration ${name} differs): restore it with that version.`,
      );
    }
    return migration;
  });
}

async function drain(content: AsyncIterable<unknown>): Promise<void> {
  for await (const chunk of content) void chunk;
}
