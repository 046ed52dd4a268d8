import { z } from "zod";
import { OperatorError } from "#lib/runtime/terminal.ts";

export const FORMAT = "sluice-backup";
export const FORMAT_VERSION = 1;

/* Names of the files in an archive. */
export const MANIFEST = "manifest.json";
export const tableFile = (table: string): string => `tables/${table}.csv`;

const StoredFile = z.object({ bytes: z.number().int().nonnegative(), sha256: z.string().length(64) });
export type StoredFile = z.infer<typeof StoredFile>;

export const Manifest = z.object({
  format: z.literal(FORMAT),
  format_version: z.number().int(),
  created_at: z.iso.datetime(),
  sluice_version: z.string(),
  postgres_version: z.string(),
  /** Applied ones, oldest first. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })).min(1),
  tables: z.array(
    StoredFile.extend({
      name: z.string(),
      columns: z.array(z.string()).min(1),
      rows: z.number().int().nonnegative(),
    }),
  ),
  sequences: z.array(
    z.object({
      name: z.string(),
      /** Text, because bigint is larger than a JSON number. Null: never used. */
      last_value: z
        .string()
        .regex(/^-?\d+$/)
        .nullable(),
    }),
  ),
});
export type Manifest = z.infer<typeof Manifest>;

/** @throws OperatorError when it is not the manifest of a readable backup */
export function parseManifest(text: string, file: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw notABackup(file);
  }
  const head = z.object({ format: z.literal(FORMAT), format_version: z.number() }).safeParse(value);
  if (!head.success) throw notABackup(file);
  if (head.data.format_version > FORMAT_VERSION) {
    throw new OperatorError(
      `${file} has the archive format ${head.data.format_version}, and this Sluice reads ${FORMAT_VERSION}: use a newer Sluice.`,
    );
  }
  const manifest = Manifest.safeParse(value);
  if (!manifest.success) {
    throw new OperatorError(`${file} is damaged: its ${MANIFEST} is incomplete. Use another backup.`);
  }
  return manifest.data;
}

export function notABackup(file: string): OperatorError {
  return new OperatorError(`${file} is not a backup of Sluice.`);
}
