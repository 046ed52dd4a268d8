import { env } from "#lib/base/env.ts";
import type { PictureHashes } from "./picture-hashes.ts";
import { createJobProcesses } from "./job-processes.ts";
import { UndrawablePicture, type UndrawableReason } from "./media-failure.ts";

/*
 * Pictures of other servers are decoded in processes of their own, which may die without harm
 * (docs/decisions/0028-picture-decoders.md). On Vercel they are decoded in the function.
 */

/** `read`: the hashes, and with a size the input of the classifiers. */
export type DecoderJob =
  | { kind: "render"; bytes: Uint8Array; size: number; format: "webp" | "jpeg" }
  | { kind: "read"; bytes: Uint8Array; size: number | null };

export type DecoderAnswer =
  | { ok: true; picture: Uint8Array; hashes: PictureHashes | null }
  | { ok: false; reason: UndrawableReason };

const MIB = 1024 * 1024;

/**
 * The function throws UndrawablePicture `busy` when too many bytes wait, or no process can be started.
 *
 * @param limits for tests; a picture has up to 8 MiB, and about 95 MB of a process are Node and sharp
 */
export function createDecoders(
  limits = { processes: 2, maxWaitingBytes: 64 * MIB, maxMemoryBytes: 384 * MIB },
): (job: DecoderJob) => Promise<DecoderAnswer> {
  const runJob = createJobProcesses<DecoderJob, DecoderAnswer>({
    ...limits,
    name: "picture decoder",
    module: ["lib", "media", "decoder-process.ts"],
    sizeOf: ({ bytes }) => bytes.byteLength,
    refusal: () => new UndrawablePicture("busy"),
    heapMb: 64,
    // sharp's own limit ends most pictures earlier.
    timeoutMs: 12_000,
  });
  return async (job) => (await runJob(job)) ?? { ok: false, reason: "too_large" };
}

const inProcess = createDecoders();

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
  return Buffer.from((await decode({ kind: "render", bytes, size, format })).picture);
}

/**
 * The hashes of a picture (hashes.ts; null when blank), and with a size the input of the classifiers (render-picture.ts).
 *
 * @throws UndrawablePicture
 */
export async function readPicture(
  bytes: Uint8Array,
  size: number | null,
): Promise<{ pixels: Uint8Array; hashes: PictureHashes | null }> {
  const { picture, hashes } = await decode({ kind: "read", bytes, size });
  return { pixels: picture, hashes };
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
