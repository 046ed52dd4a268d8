import { hash } from "node:crypto";
import { raw } from "#lib/accounts/route.ts";
import { ApiError } from "#lib/base/errors.ts";
import type { Reply } from "#lib/base/http/reply.ts";
import { readCached, writeCached } from "./cache.ts";
import { failedBytes, fetchBytes } from "./fetch-bytes.ts";
import { getPicture, pictureTag } from "./get-picture.ts";
import { sharedWork } from "./limited.ts";
import { MediaFailure } from "./media-failure.ts";
import { mediumOf, type PictureSource } from "./picture-source.ts";
import { playableType } from "./sniff.ts";

/** Headers that keep foreign media harmless, even when it is opened by itself. */
const INERT = {
  "Content-Security-Policy": "default-src 'none'; sandbox",
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Resource-Policy": "same-origin",
};
const KEPT = "private, max-age=86400";

/**
 * A picture as WebP, or 304, which is decided before any download. A picture that is not available gives 404 with
 * `X-Media-Error`.
 *
 * @param size pixels of the square that it fits into
 * @throws picture_not_found, picture_unavailable
 */
export async function answerPicture(
  request: Request,
  source: PictureSource | null,
  size: number,
): Promise<Reply> {
  if (source === null) throw new ApiError("picture_not_found");
  const etag = `"${pictureTag(source, size)}"`;
  const headers = { ...INERT, ETag: etag, "Cache-Control": KEPT };
  if (isKnown(request, etag)) return { status: 304, headers };
  const picture = await unavailable404(getPicture(source, size));
  return raw(new Uint8Array(picture), "image/webp", headers);
}

/**
 * A post's video or audio, or a `Range` of it.
 *
 * @param n index of the medium, from 0
 * @throws picture_not_found, picture_unavailable, range_not_satisfiable
 */
export async function answerMediaFile(request: Request, postId: number, n: number): Promise<Reply> {
  const medium = await mediumOf(postId, n);
  if (!medium?.url || !["video", "gifv", "audio"].includes(medium.type))
    throw new ApiError("picture_not_found");
  const etag = `"${mediaFileTag(medium.url)}"`;
  const headers = { ...INERT, ETag: etag, "Cache-Control": KEPT, "Accept-Ranges": "bytes" };
  if (isKnown(request, etag)) return { status: 304, headers };
  const { bytes, type } = await unavailable404(getMediaFile(postId, n, medium.url));
  const size = bytes.length;
  const ifRange = request.headers.get("if-range");
  const range = ifRange === null || ifRange === etag ? readRange(request.headers.get("range"), size) : "all";
  if (range === "unsatisfiable")
    throw new ApiError("range_not_satisfiable", {}, { headers: { "Content-Range": `bytes */${size}` } });
  if (range === "all") return raw(new Uint8Array(bytes), type, headers);
  const { from, to } = range;
  return {
    status: 206,
    raw: new Uint8Array(bytes.subarray(from, to + 1)),
    headers: { ...headers, "Content-Type": type, "Content-Range": `bytes ${from}-${to}/${size}` },
  };
}

function isKnown(request: Request, etag: string): boolean {
  const known = request.headers.get("if-none-match");
  return known !== null && known.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}

async function unavailable404<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof MediaFailure)) throw error;
    const wait = Math.max(1, Math.ceil((error.until.getTime() - Date.now()) / 1000));
    throw new ApiError(
      "picture_unavailable",
      { message: error.message },
      { headers: { ...INERT, "X-Media-Error": error.kind, "Retry-After": String(wait) } },
    );
  }
}

interface MediaFile {
  bytes: Buffer;
  /** By file signature, not by the server's header. */
  type: string;
}

const share = sharedWork<MediaFile>();

function mediaFileTag(url: string): string {
  return hash("sha256", url, "hex").slice(0, 20);
}

/**
 * A media file as its server sends it, at most 8 MiB: streaming longer files would hold a connection for minutes.
 *
 * @throws MediaFailure `too_large`, `not_playable`, or the download error
 */
async function getMediaFile(postId: number, n: number, url: string): Promise<MediaFile> {
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

/** First and last byte, from 0. */
type ByteRange = { from: number; to: number } | "all" | "unsatisfiable";

/** Reads a `Range` header (RFC 9110 §14). Anything but a single byte range means the whole file. */
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
