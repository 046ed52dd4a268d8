import { createHash } from "node:crypto";
import { type Bytes, cachedSize, readCached, writeCached } from "./cache.ts";
import { failedBytes, fetchBytes } from "./fetch-bytes.ts";
import { sharedWork } from "./shared-work.ts";
import { playableType } from "./sniff.ts";

export interface MediaFile {
  size: number;
  /** By file signature, not by the server's header. */
  type: string;
  tag: string;
  /** @param part absent for the whole file */
  read: (part?: Bytes) => Promise<Buffer>;
}

/** A player asks for many ranges of one file, so the file itself is read only as far as its signature. */
const SIGNATURE: Bytes = { from: 0, to: 63 };

const share = sharedWork<MediaFile>();

/**
 * Unchanged, at most 8 MiB: streaming longer files would hold a connection for minutes.
 *
 * @throws MediaFailure `too_large`, `not_playable`, or the download error
 */
export async function getMediaFile(postId: number, n: number, url: string): Promise<MediaFile> {
  const tag = createHash("sha256").update(url).digest("hex").slice(0, 20);
  const name = `file-${n}-${tag}`;
  return share(`${postId}/${name}`, async () => {
    const size = await cachedSize(postId, name);
    const head = size === null ? null : await readCached(postId, name, SIGNATURE);
    if (size !== null && head !== null) {
      // The sweep may have removed it since.
      const read = async (part?: Bytes) =>
        (await readCached(postId, name, part)) ?? partOf(await fetchBytes(url), part);
      return { size, type: typeOf(head, url), tag, read };
    }
    const bytes = await fetchBytes(url);
    const type = typeOf(bytes, url);
    await writeCached(postId, name, bytes);
    return { size: bytes.length, type, tag, read: (part) => Promise.resolve(partOf(bytes, part)) };
  });
}

function typeOf(head: Buffer, url: string): string {
  const type = playableType(head);
  if (type === null) throw failedBytes(url, "not_playable", "The file is neither a film nor a sound.");
  return type;
}

function partOf(bytes: Buffer, part: Bytes | undefined): Buffer {
  return part === undefined ? bytes : bytes.subarray(part.from, part.to + 1);
}

export type ByteRange = Bytes | "all" | "unsatisfiable";

/** Anything but a single byte range returns the whole file (RFC 9110 §14). */
export function readRange(header: string | null, size: number): ByteRange {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "");
  const [, first = "", last = ""] = match ?? [];
  if (match === null || (first === "" && last === "")) return "all";
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { from: size - length, to: size - 1 };
  }
  const from = Number(first);
  const to = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < from) return "all";
  return from >= size ? "unsatisfiable" : { from, to };
}
