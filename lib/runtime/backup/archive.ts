import { randomBytes } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { json } from "node:stream/consumers";
import { finished, pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import { type Entry, openPromise } from "yauzl";
import yazl from "yazl";
import { z } from "zod";
import { OperatorError } from "#lib/runtime/terminal.ts";

/* The ZIP file of a backup: a CSV file for each table, and a manifest (docs/decisions/0027-backup-archive.md). */

/** End of the name of an unfinished archive. */
export const PARTIAL = ".partial";
export const MANIFEST = "manifest.json";
export const tableFile = (table: string): string => `tables/${table}.csv`;

const Manifest = z.object({
  format: z.literal("sluice-backup"),
  created_at: z.iso.datetime(),
  sluice_version: z.string(),
  /** Applied migrations, oldest first. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })).min(1),
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.string()).min(1),
      rows: z.int().nonnegative(),
    }),
  ),
  /** Last values as texts, because a bigint may not fit a JSON number. Null if never used. */
  sequences: z.array(
    z.object({
      name: z.string(),
      last_value: z
        .string()
        .regex(/^-?\d+$/)
        .nullable(),
    }),
  ),
});
export type Manifest = z.infer<typeof Manifest>;

export type Archive = {
  manifest: Manifest;
  /** Reads a file. If it is damaged, an OperatorError follows the last chunk. */
  read: (name: string) => AsyncGenerator<Buffer>;
  close: () => void;
};

/** Opens an archive. @throws OperatorError when it is no readable backup */
export async function openArchive(file: string): Promise<Archive> {
  const zip = await openPromise(file, { autoClose: false, strictFileNames: true }).catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new OperatorError(
      code === undefined
        ? `${file} is not a backup of Sluice, or its end is missing.`
        : `${file} cannot be read (${message}).`,
    );
  });
  try {
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
    const read = async function* (name: string): AsyncGenerator<Buffer> {
      const damaged = new OperatorError(
        `${file} is damaged or cannot be read: its content differs from its checksums. Use another backup.`,
      );
      const entry = entries.get(name);
      if (!entry) throw damaged;
      let crc = 0;
      try {
        const content: Readable = await zip.openReadStreamPromise(entry);
        for await (const chunk of content as AsyncIterable<Buffer>) {
          crc = crc32(chunk, crc);
          yield chunk;
        }
      } catch {
        throw damaged;
      }
      // yauzl does not compare the checksum.
      if (crc !== entry.crc32) throw damaged;
    };
    const manifest = entries.has(MANIFEST) ? await json(read(MANIFEST)).catch(() => null) : null;
    const parsed = Manifest.safeParse(manifest);
    if (!parsed.success) throw new OperatorError(`${file} is not a backup of Sluice, or of another version.`);
    return { manifest: parsed.data, read, close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

/** Adds a file. Resolves when `source` has been read to its end. */
export type Add = (name: string, source: Readable) => Promise<void>;

/**
 * Writes a ZIP file under a temporary name, checks it, and renames it.
 * @param check reads the file under its temporary name
 * @throws OperatorError when the file exists, or the disk takes no more
 */
export async function writeArchive<T>(
  file: string,
  fill: (add: Add) => Promise<void>,
  check: (partial: string) => Promise<T>,
): Promise<T> {
  if (existsSync(file))
    throw new OperatorError(`${file} exists already: choose another name. Nothing was written.`);
  const partial = `${file}.${randomBytes(4).toString("hex")}${PARTIAL}`;
  const removePartial = () => rmSync(partial, { force: true });
  process.once("exit", removePartial);
  try {
    const handle = await open(partial, "wx", 0o600);
    const zip = new yazl.ZipFile();
    const written = pipeline(zip.outputStream, handle.createWriteStream({ flush: true }));
    // Rejects when the file cannot be written; never resolves.
    const failed = written.then(() => new Promise<never>(() => undefined));
    failed.catch(() => undefined);
    try {
      await fill(async (name, source) => {
        zip.addReadStream(source, name, { mode: 0o100600 });
        await Promise.race([finished(source), failed]);
      });
      zip.end();
      await written;
    } catch (error) {
      (zip.outputStream as Readable).destroy();
      await written.catch(() => undefined);
      throw error;
    }
    const checked = await check(partial);
    await rename(partial, file);
    return checked;
  } catch (error) {
    throw explainWrite(error, file);
  } finally {
    removePartial();
    process.off("exit", removePartial);
  }
}

/** Converts an error of the disk to a sentence that says what the operator can do. */
export function explainWrite(error: unknown, file: string): Error {
  const { code = "", message } = error as NodeJS.ErrnoException;
  if (["ENOSPC", "EDQUOT", "EFBIG"].includes(code))
    return new OperatorError(`There is no room for ${file}. No backup was written.`);
  if (["ENOENT", "ENOTDIR", "EACCES", "EPERM", "EROFS"].includes(code))
    return new OperatorError(
      `${path.dirname(file)} cannot be written to (${message}). No backup was written.`,
    );
  return error as Error;
}
