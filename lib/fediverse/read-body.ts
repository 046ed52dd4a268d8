import { pipeline } from "node:stream/promises";
import { Writable } from "node:stream";
import type { Readable, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { FetchFailure } from "./fetch-failure.ts";
import { readableSize } from "./readable-size.ts";

/** Of an error answer only the beginning is of interest. */
const MAX_ERROR_BYTES = 64 * 1024;

interface Answer {
  statusCode: number;
  body: Readable;
}

/**
 * The unpacked body, counted while it arrives: neither the wire nor the unpacked form (a "gzip bomb") may pass
 * the cap. An error answer is cut off instead, since its status says enough.
 *
 * @throws FetchFailure `too_large`, `unreadable`
 */
export async function readBody(
  answer: Answer,
  headers: Record<string, string>,
  host: string,
  maxBytes: number,
): Promise<Buffer> {
  const isError = answer.statusCode >= 400;
  const cap = isError ? Math.min(maxBytes, MAX_ERROR_BYTES) : maxBytes;
  const tooLarge = () => new FetchFailure("too_large", `${host} sent more than ${readableSize(cap)}.`);
  if (!isError && Number(headers["content-length"]) > cap) {
    answer.body.destroy();
    throw tooLarge();
  }
  // Nothing follows, so there is nothing to unpack either.
  if (answer.statusCode === 204 || answer.statusCode === 304 || headers["content-length"] === "0") {
    answer.body.resume();
    return Buffer.alloc(0);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  const collect = new Writable({
    write(chunk: Buffer, _encoding, done) {
      const room = cap - size;
      chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
      size += chunk.length;
      done(size > cap ? tooLarge() : null);
    },
  });
  try {
    await pipeline([answer.body, ...unpackers(headers["content-encoding"] ?? "", host), collect]);
  } catch (error) {
    const cutOff = error instanceof FetchFailure && error.kind === "too_large";
    if (!(isError && cutOff)) throw error;
  }
  return Buffer.concat(chunks);
}

function unpackers(contentEncoding: string, host: string): Transform[] {
  const encodings = contentEncoding
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  if (encodings.length > 1) throw new FetchFailure("unreadable", `${host} packed its answer more than once.`);
  return encodings.map((name) => {
    if (name === "gzip" || name === "x-gzip") return createGunzip();
    if (name === "deflate") return createInflate();
    if (name === "br") return createBrotliDecompress();
    throw new FetchFailure("unreadable", `${host} packed its answer in an unknown way.`);
  });
}
