import { env } from "#lib/base/env.ts";
import type { DecoderAnswer, DecoderJob } from "./decoder-messages.ts";
import { createDecoders } from "./decoders.ts";
import type { PictureHashes } from "./hash-distance.ts";
import { UndrawablePicture } from "./undrawable-picture.ts";

/*
 * Pictures of other servers are decoded in processes of their own, which may die without harm
 * (docs/decisions/0028-picture-decoders.md). On Vercel they are decoded in the function.
 */

const MIB = 1024 * 1024;
const inProcess = createDecoders({
  processes: 2,
  maxWaiting: 64,
  // A picture has up to 8 MiB.
  maxWaitingBytes: 64 * MIB,
  maxMemoryBytes: 384 * MIB,
});

/**
 * WebP within a square of `size` pixels, upright, never enlarged, first frame only, without metadata.
 *
 * @param format `jpeg`: for services that read no WebP
 * @throws UndrawablePicture
 */
export async function renderPicture(
  bytes: Uint8Array,
  size: number,
  format: "webp" | "jpeg" = "webp",
): Promise<Buffer> {
  const answer = await decode({ kind: "render", bytes, size, format });
  if (!("picture" in answer)) throw new Error("The decoder sent no picture.");
  return Buffer.from(answer.picture);
}

/**
 * See hashes.ts; null for a blank picture.
 *
 * @throws UndrawablePicture
 */
export async function hashPicture(bytes: Uint8Array): Promise<PictureHashes | null> {
  const answer = await decode({ kind: "hash", bytes });
  if (!("hashes" in answer)) throw new Error("The decoder sent no hashes.");
  return answer.hashes;
}

/**
 * Input of the classifiers (see render-picture.ts), and the hashes of the same picture.
 *
 * @throws UndrawablePicture
 */
export async function readPixels(
  bytes: Uint8Array,
  size: number,
): Promise<{ pixels: Uint8Array; hashes: PictureHashes | null }> {
  const answer = await decode({ kind: "pixels", bytes, size });
  if (!("pixels" in answer)) throw new Error("The decoder sent no pixels.");
  return answer;
}

async function decode(job: DecoderJob): Promise<DecoderAnswer & { ok: true }> {
  // A serverless function has its own memory limit and is replaced when it fails.
  const answer = await (env().VERCEL === undefined ? inProcess(job) : decodeHere(job));
  if (!answer.ok) throw new UndrawablePicture(answer.reason);
  return answer;
}

async function decodeHere(job: DecoderJob): Promise<DecoderAnswer> {
  const { runJob } = await import("./run-job.ts");
  return runJob(job);
}
