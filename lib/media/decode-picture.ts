import { env } from "#lib/base/env.ts";
import type { PictureHashes } from "./picture-hashes.ts";
import { createJobProcesses } from "./job-processes.ts";
import { MediaFailure, undrawable, type MediaFailureKind } from "./media-failure.ts";

/*
 * Pictures of other servers are decoded in processes of their own, which may die without harm
 * (docs/decisions/0028-picture-decoders.md). On Vercel they are decoded in the function.
 */

/** `read`: the hashes, and with a size the input of the classifiers. */
export type DecoderJob =
  | { kind: "render"; bytes: Uint8Array; size: number; format: "webp" | "jpeg" }
  | { kind: "read"; bytes: Uint8Array; size: number | null };

interface Decoded {
  picture: Uint8Array;
  hashes: PictureHashes | null;
}

export type DecoderAnswer = ({ ok: true } & Decoded) | { ok: false; kind: MediaFailureKind; message: string };

const MIB = 1024 * 1024;

/**
 * Makes a function that decodes in child processes. It throws MediaFailure: `busy` when too many bytes wait or no process can
 * be started.
 *
 * @param limits others in tests only. A picture has up to 8 MiB; about 95 MB of a process are Node and sharp
 */
export function createDecoders(
  limits = { processes: 2, maxWaitingBytes: 64 * MIB, maxMemoryBytes: 384 * MIB },
): (job: DecoderJob) => Promise<Decoded> {
  const runJob = createJobProcesses<DecoderJob, DecoderAnswer>({
    ...limits,
    name: "picture decoder",
    module: ["lib", "media", "decoder-process.ts"],
    sizeOf: ({ bytes }) => bytes.byteLength,
    refusal: () => undrawable("busy"),
    heapMb: 64,
    // sharp's own limit ends most pictures earlier.
    timeoutMs: 12_000,
  });
  return async (job) => decodedBy(await runJob(job));
}

const decodeInChild = createDecoders();

/**
 * WebP within a square of `size` pixels, upright, never enlarged, first frame only, without metadata.
 *
 * @param format `jpeg`: for services that read no WebP
 * @throws MediaFailure
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
 * @throws MediaFailure
 */
export async function readPicture(
  bytes: Uint8Array,
  size: number | null,
): Promise<{ pixels: Uint8Array; hashes: PictureHashes | null }> {
  const { picture, hashes } = await decode({ kind: "read", bytes, size });
  return { pixels: picture, hashes };
}

function decode(job: DecoderJob): Promise<Decoded> {
  // A serverless function has its own memory limit and is replaced when it fails.
  return env().VERCEL === undefined ? decodeInChild(job) : decodeHere(job);
}

async function decodeHere(job: DecoderJob): Promise<Decoded> {
  const { runJob } = await import("./run-job.ts");
  return decodedBy(await runJob(job));
}

/** @param answer null: the process ended */
function decodedBy(answer: DecoderAnswer | null): Decoded {
  if (answer === null) throw undrawable("too_large");
  if (!answer.ok) throw new MediaFailure(answer.kind, answer.message);
  return answer;
}
