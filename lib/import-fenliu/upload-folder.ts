import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { env } from "#lib/env.ts";
import type { Skipped } from "./import-settings.ts";
import { ImportReport } from "./schema.ts";

/*
 * Files of an upload in DATA_DIR/import-fenliu. Web process, worker and the process of the import share them, and they
 * survive a restart.
 */

const names = {
  /** The database, also while it is incomplete. */
  database: "fenliu.db",
  upload: "upload.json",
  /** Exists while a dry run or an import is wanted. */
  request: "request.json",
  progress: "progress.json",
  report: "report.json",
  notTaken: "not-taken.json",
} as const;

export function uploadPath(name: keyof typeof names | null): string {
  const folder = path.resolve(/*turbopackIgnore: true*/ env().DATA_DIR, "import-fenliu");
  return name === null ? folder : path.join(folder, names[name]);
}

export const Upload = z.object({ size: z.int() });
export const Request = z.object({
  dry_run: z.boolean(),
  started_by: z.string(),
  member_id: z.int().nullable(),
  started_at: z.string(),
});
export type Request = z.output<typeof Request>;
export const Progress = z.object({ part: z.number() });
export const Report = ImportReport;

/** Null when the file is missing or was cut. */
export function readState<T extends z.ZodType>(name: keyof typeof names, schema: T): z.output<T> | null {
  try {
    return schema.parse(JSON.parse(readFileSync(uploadPath(name), "utf8")));
  } catch {
    return null;
  }
}

/** In one step, so that a reader never sees half a file. */
export function writeState(name: keyof typeof names, value: object): void {
  const file = uploadPath(name);
  writeFileSync(`${file}.new`, JSON.stringify(value), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Exclusive. @returns false when there is one */
export function writeRequest(request: Request): boolean {
  try {
    writeFileSync(uploadPath("request"), JSON.stringify(request), { mode: 0o600, flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

export function removeState(...some: (keyof typeof names)[]): void {
  for (const name of some) rmSync(uploadPath(name), { force: true });
}

export const NotTaken = z.array(
  z.object({ table: z.string(), id: z.number(), reason: z.string() }),
) as z.ZodType<Skipped[]>;
