import { raw } from "#lib/accounts/route.ts";
import { ApiError } from "#lib/base/errors.ts";
import type { Reply } from "#lib/base/http/reply.ts";
import { getMediaFile, mediaFileTag, readRange } from "./get-media-file.ts";
import { getPicture, pictureTag } from "./get-picture.ts";
import { MediaFailure } from "./media-failure.ts";
import { mediumOf, type PictureSource } from "./picture-source.ts";

/** Keeps foreign media harmless even when opened by itself. */
const INERT = {
  "Content-Security-Policy": "default-src 'none'; sandbox",
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Resource-Policy": "same-origin",
};
const KEPT = "private, max-age=86400";

/**
 * 304 is decided before any download. Unavailable pictures give 404 with `X-Media-Error`.
 *
 * @throws ApiError `picture_not_found`, `picture_unavailable`
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
 * @throws ApiError `picture_not_found`, `picture_unavailable`, `range_not_satisfiable`
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
