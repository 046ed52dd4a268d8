import { createWriteStream, mkdirSync, rmSync, statSync } from "node:fs";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { recordAudit } from "#lib/audit/record-audit.ts";
import type { Principal } from "#lib/auth/principal.ts";
import { now, toIso } from "#lib/clock.ts";
import { db } from "#lib/db.ts";
import { diskSpace } from "#lib/disk-space.ts";
import { env } from "#lib/env.ts";
import { ApiError } from "#lib/errors.ts";
import { csvLine } from "#lib/http/csv.ts";
import { MAX_CHUNK, type ImportState, type UploadQuery } from "./schema.ts";
import {
  NotTaken,
  Progress,
  readState,
  removeState,
  Report,
  Request,
  Upload,
  uploadPath,
  writeRequest,
  writeState,
} from "./upload-folder.ts";

/* The upload of FenLiu's database by an admin. Parts of the file go to the disk as they arrive. */

/** Bytes that stay free for the database. */
const RESERVE = 512 * 2 ** 20;

export function readImportState(): ImportState {
  requireDisk();
  const upload = readState("upload", Upload);
  const request = readState("request", Request);
  return {
    file: upload === null ? null : { size: upload.size, uploaded: uploadedBytes() },
    running:
      request === null
        ? null
        : {
            dry_run: request.dry_run,
            started_by: request.started_by,
            started_at: request.started_at,
            progress: readState("progress", Progress)?.part ?? 0,
          },
    report: readState("report", Report),
  };
}

/**
 * Appends a part of the file. Offset 0 begins a new upload.
 *
 * @throws ApiError `import_needs_disk`, `import_running`, `upload_out_of_order`, bad_request: too large or no SQLite file
 */
export async function appendUpload(
  { offset, size }: UploadQuery,
  body: ReadableStream<Uint8Array> | null,
): Promise<ImportState> {
  requireDisk();
  refuseRunning();
  if (offset === 0) beginUpload(size);
  else if (readState("upload", Upload)?.size !== size || uploadedBytes() !== offset)
    throw new ApiError("upload_out_of_order", { uploaded: uploadedBytes() });
  const file = createWriteStream(uploadPath("database"), {
    flags: offset === 0 ? "w" : "r+",
    start: offset,
    mode: 0o600,
  });
  const parts = body === null ? Readable.from([]) : Readable.fromWeb(body);
  try {
    await pipeline(parts, limitTo(Math.min(MAX_CHUNK, size - offset)), file);
    if (offset === 0) await refuseOtherFiles();
  } catch (error) {
    if (error instanceof ApiError) removeUpload();
    throw error;
  }
  return readImportState();
}

function beginUpload(size: number): void {
  const free = diskSpace()?.free ?? Infinity;
  removeUpload();
  if (free < size + RESERVE) throw refusal("There is not enough free space for the file");
  mkdirSync(uploadPath(null), { recursive: true, mode: 0o700 });
  writeState("upload", { size });
}

/** Before the rest is sent. */
async function refuseOtherFiles(): Promise<void> {
  const { open } = await import("node:fs/promises");
  const file = await open(uploadPath("database"));
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0);
    if (buffer.toString("latin1", 0, bytesRead) !== "SQLite format 3\0")
      throw refusal("The file is not an SQLite database");
  } finally {
    await file.close();
  }
}

function limitTo(limit: number): Transform {
  let left = limit;
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      left -= part.length;
      if (left < 0) done(refusal("The body is longer than 1 MiB, or than the rest of the file"));
      else done(null, part);
    },
  });
}

/**
 * The worker does it.
 *
 * @throws ApiError `import_needs_disk`, `import_running`, bad_request: without a complete file
 */
export async function startUploadedImport(principal: Principal, dry_run: boolean): Promise<ImportState> {
  requireDisk();
  const { file } = readImportState();
  if (file === null || file.uploaded < file.size) throw refusal("Upload the whole file first");
  const started_at = toIso(now());
  const { label: started_by, member_id } = principal;
  if (!writeRequest({ dry_run, started_by, member_id, started_at })) throw new ApiError("import_running");
  removeState("progress", "report", "notTaken");
  try {
    await recordAudit(db, principal, {
      action: dry_run ? "fenliu_import.dry_run" : "fenliu_import.start",
      subject: "FenLiu",
      after: { size: file.size },
    });
  } catch (error) {
    removeState("request");
    throw error;
  }
  return readImportState();
}

/** @throws ApiError `import_needs_disk`, `import_running` */
export function discardUpload(): void {
  requireDisk();
  refuseRunning();
  removeUpload();
}

/** A line for each row that the latest dry run or import did not take. */
export function* notTakenCsv(): Generator<string, void> {
  yield csvLine(["table", "id", "reason"]);
  for (const { table, id, reason } of readState("notTaken", NotTaken) ?? [])
    yield csvLine([table, String(id), reason]);
}

function removeUpload(): void {
  rmSync(uploadPath(null), { recursive: true, force: true });
}

function uploadedBytes(): number {
  try {
    return statSync(uploadPath("database")).size;
  } catch {
    return 0;
  }
}

function refuseRunning(): void {
  if (readState("request", Request) !== null) throw new ApiError("import_running");
}

function requireDisk(): void {
  if (env().VERCEL !== undefined) throw new ApiError("import_needs_disk");
}

const refusal = (message: string) => new ApiError("bad_request", { message });
