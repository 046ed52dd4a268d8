import { createHash, randomBytes } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { type FileHandle, open, rename } from "node:fs/promises";
import path from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import yazl from "yazl";
import { OperatorError } from "#lib/runtime/terminal.ts";
import type { StoredFile } from "./manifest.ts";

/** End of the name of an unfinished archive. */
export const PARTIAL = ".partial";

/** A ZIP file that appears under its name only when it is complete and on disk. */
export class ArchiveWriter {
  private readonly zip = new yazl.ZipFile();
  private readonly written: Promise<void>;
  /** Rejects when the file cannot be written; never resolves. */
  private readonly failed: Promise<never>;
  readonly file: string;
  readonly partial: string;

  private constructor(file: string, partial: string, handle: FileHandle) {
    this.file = file;
    this.partial = partial;
    this.written = pipeline(this.zip.outputStream, handle.createWriteStream({ flush: true }));
    this.failed = this.written.then(() => new Promise<never>(() => undefined));
    this.failed.catch(() => undefined);
    process.once("exit", this.removePartial);
  }

  /** @throws OperatorError when the file exists */
  static async create(file: string): Promise<ArchiveWriter> {
    if (existsSync(file))
      throw new OperatorError(`${file} exists already: choose another name. Nothing was written.`);
    const partial = `${file}.${randomBytes(4).toString("hex")}${PARTIAL}`;
    return new ArchiveWriter(file, partial, await open(partial, "wx", 0o600));
  }

  /** @returns once `source` has been read to its end */
  async add(name: string, source: Readable): Promise<StoredFile> {
    const meter = new Meter();
    this.zip.addReadStream(meter, name, { mode: 0o100600 });
    const read = pipeline(source, meter);
    try {
      await Promise.race([read, this.failed]);
    } catch (error) {
      source.destroy();
      throw error;
    }
    return meter.stored();
  }

  addText(name: string, text: string): Promise<StoredFile> {
    return this.add(name, Readable.from([Buffer.from(text)]));
  }

  /** Completes the file under its temporary name. */
  async finish(): Promise<void> {
    this.zip.end();
    await this.written;
  }

  /** Gives the finished file its name. */
  async publish(): Promise<void> {
    await rename(this.partial, this.file);
    process.off("exit", this.removePartial);
    await syncFolder(path.dirname(this.file));
  }

  async discard(): Promise<void> {
    (this.zip.outputStream as Readable).destroy();
    await this.written.catch(() => undefined);
    this.removePartial();
    process.off("exit", this.removePartial);
  }

  private readonly removePartial = (): void => rmSync(this.partial, { force: true });
}

class Meter extends Transform {
  private readonly hash = createHash("sha256");
  private bytes = 0;

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, chunk: Buffer) => void): void {
    this.hash.update(chunk);
    this.bytes += chunk.length;
    done(null, chunk);
  }

  stored(): StoredFile {
    return { bytes: this.bytes, sha256: this.hash.digest("hex") };
  }
}

async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open a folder.
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Says what the operator can do about an error of the disk. */
export function explainWrite(error: unknown, file: string): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG") {
    return new OperatorError(`There is no room for ${file}. No backup was written.`);
  }
  if (code === "ENOENT" || code === "ENOTDIR") {
    return new OperatorError(`The folder ${path.dirname(file)} does not exist. No backup was written.`);
  }
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") {
    return new OperatorError(
      `${path.dirname(file)} cannot be written to (${message}). No backup was written.`,
    );
  }
  return error as Error;
}
