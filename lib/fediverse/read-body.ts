import { type Readable, type Transform, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { type AnswerHead, RemoteError } from "./remote-error.ts";

const MAX_ERROR_BYTES = 64 * 1024;

/**
 * Reads a body and counts its unpacked bytes on arrival, against gzip bombs. The body of an error response is cut, because its
 * status matters more; also if it cannot be unpacked.
 *
 * @throws RemoteError `too_large`, `not_compatible`
 */
export async function readBody(
  stream: Readable,
  { status, headers }: AnswerHead,
  host: string,
  maxBytes: number,
): Promise<Buffer> {
  const isError = status >= 400;
  const cap = isError ? Math.min(maxBytes, MAX_ERROR_BYTES) : maxBytes;
  if (!isError && Number(headers["content-length"]) > cap) {
    stream.destroy();
    throw tooLarge(host, cap, { status, headers });
  }
  // An empty body cannot be unpacked.
  if (status === 204 || status === 304 || headers["content-length"] === "0") {
    stream.resume();
    return Buffer.alloc(0);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  const collect = new Writable({
    write(chunk: Buffer, _encoding, done) {
      const room = cap - size;
      chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
      size += chunk.length;
      done(size > cap ? tooLarge(host, cap, { status, headers }) : null);
    },
  });
  try {
    await pipeline([stream, ...unpackers(headers["content-encoding"] ?? "", host), collect]);
  } catch (error) {
    if (!isError) throw error;
  }
  return Buffer.concat(chunks);
}

function tooLarge(host: string, maxBytes: number, answer: AnswerHead): RemoteError {
  const sentence = `${host} sent more than ${maxBytes / 2 ** 20} MiB.`;
  return new RemoteError("too_large", sentence, { answer });
}

function unpackers(contentEncoding: string, host: string): Transform[] {
  const encodings = contentEncoding
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  if (encodings.length > 1)
    throw new RemoteError("not_compatible", `${host} packed its answer more than once.`);
  return encodings.map((name) => {
    if (name === "gzip" || name === "x-gzip") return createGunzip();
    if (name === "deflate") return createInflate();
    if (name === "br") return createBrotliDecompress();
    throw new RemoteError("not_compatible", `${host} packed its answer in an unknown way.`);
  });
}
