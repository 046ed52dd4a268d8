import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { OperatorError } from "#lib/runtime/terminal.ts";
import { MANIFEST, type Manifest, notABackup, parseManifest, type StoredFile } from "./manifest.ts";

/** The manifest is read into memory. */
const MAX_IN_MEMORY_BYTES = 16 * 1024 * 1024;

/** A backup that is open for reading. Every byte is compared with the checksums of its manifest. */
export class ArchiveReader {
  readonly file: string;
  private readonly zip: ZipFile;
  private readonly entries: Map<string, Entry>;
  manifest!: Manifest;

  private constructor(file: string, zip: ZipFile, entries: Map<string, Entry>) {
    this.file = file;
    this.zip = zip;
    this.entries = entries;
  }

  /** @throws OperatorError when it is no readable backup */
  static async open(file: string): Promise<ArchiveReader> {
    const zip = await openZip(file);
    try {
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
      if (!entries.has(MANIFEST)) throw notABackup(file);
      const archive = new ArchiveReader(file, zip, entries);
      archive.manifest = parseManifest(await archive.readManifest(), file);
      return archive;
    } catch (error) {
      zip.close();
      throw error instanceof OperatorError ? error : damaged(file, error);
    }
  }

  private async readManifest(): Promise<string> {
    if ((this.entries.get(MANIFEST)?.uncompressedSize ?? 0) > MAX_IN_MEMORY_BYTES) throw damaged(this.file);
    const chunks: Buffer[] = [];
    for await (const chunk of this.read(MANIFEST)) chunks.push(chunk);
    return Buffer.concat(chunks).toString("utf8");
  }

  /**
   * The last chunk is followed by an error when size or checksum differ.
   * @param stored absent for the manifest
   * @throws OperatorError when the file is missing or damaged
   */
  async *read(name: string, stored?: StoredFile): AsyncGenerator<Buffer> {
    const entry = this.entries.get(name);
    if (entry === undefined) throw damaged(this.file);
    const hash = createHash("sha256");
    let [bytes, crc] = [0, 0];
    try {
      const content: Readable = await this.zip.openReadStreamPromise(entry);
      for await (const chunk of content as AsyncIterable<Buffer>) {
        hash.update(chunk);
        crc = crc32(chunk, crc);
        bytes += chunk.length;
        yield chunk;
      }
    } catch (error) {
      throw damaged(this.file, error);
    }
    // yauzl does not compare it.
    if (crc !== entry.crc32) throw damaged(this.file);
    if (stored !== undefined && (bytes !== stored.bytes || hash.digest("hex") !== stored.sha256)) {
      throw damaged(this.file);
    }
  }

  close(): void {
    this.zip.close();
  }
}

async function openZip(file: string): Promise<ZipFile> {
  try {
    return await openPromise(file, { autoClose: false, strictFileNames: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new OperatorError(`There is no file ${file}.`);
    if (code !== undefined) throw new OperatorError(`${file} cannot be read (${message}).`);
    throw new OperatorError(`${file} is not a backup of Sluice, or its end is missing.`);
  }
}

function damaged(file: string, cause?: unknown): OperatorError {
  const { code, message } = (cause ?? {}) as NodeJS.ErrnoException;
  if (code === "EIO") return new OperatorError(`${file} cannot be read (${message ?? ""}).`);
  return new OperatorError(`${file} is damaged: its content differs from its checksums. Use another backup.`);
}
