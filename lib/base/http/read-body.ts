import { ApiError } from "#lib/base/errors.ts";

const MAX_BODY_BYTES = 256 * 1024;

/**
 * Reads UTF-8 text of at most 256 KiB, independent of `Content-Length`.
 *
 * @throws ApiError `body_too_large`, `invalid_json` for invalid UTF-8
 */
export async function readBody(request: Request): Promise<string> {
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY_BYTES)
    throw new ApiError("body_too_large");
  if (request.body === null) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    // Leaving the loop cancels the stream.
    if (size > MAX_BODY_BYTES) throw new ApiError("body_too_large");
    chunks.push(chunk);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new ApiError("invalid_json");
  }
}

/** @throws ApiError `invalid_json`, also for an empty text */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    throw new ApiError("invalid_json");
  }
}
