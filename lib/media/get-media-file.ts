import { hash } from "node:crypto";
import { readCached, writeCached } from "./cache.ts";
import { failedBytes, fetchBytes } from "./fetch-bytes.ts";
import { sharedWork } from "./limited.ts";
import { playableType } from "./sniff.ts";

interface MediaFile {
  bytes: Buffer;
  /** By file signature, not by the server's header. */
  type: string;
}

const share = sharedWork<MediaFile>();

export function mediaFileTag(url: string): string {
  return hash("sha256", url, "hex").slice(0, 20);
}

/**
 * Unchanged, at most 8 MiB: streaming longer files would hold a connection for minutes.
 *
 * @throws MediaFailure `too_large`, `not_playable`, or the download error
 */
export async function getMediaFile(postId: number, n: number, url: string): Promise<MediaFile> {
  const name = `file-${n}-${mediaFileTag(url)}`;
  return share(`${postId}/${name}`, async () => {
    const cached = await readCached(postId, name);
    const bytes = cached ?? (await fetchBytes(url));
    const type = playableType(bytes);
    if (type === null) throw failedBytes(url, "not_playable", "The file is neither a film nor a sound.");
    if (cached === null) await writeCached(postId, name, bytes);
    return { bytes, type };
  });
}

/** First and last byte. */
type ByteRange = { from: number; to: number } | "all" | "unsatisfiable";

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
