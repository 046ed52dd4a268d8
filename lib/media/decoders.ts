import type { DecoderAnswer, DecoderJob } from "./decoder-messages.ts";
import { createJobProcesses } from "./job-processes.ts";
import { UndrawablePicture } from "./undrawable-picture.ts";

export interface DecoderOptions {
  processes: number;
  /** Jobs that wait for a process. */
  maxWaiting: number;
  /** Sum of the pictures that wait. */
  maxWaitingBytes: number;
  /** Resident memory of a process, of which about 95 MB are Node and sharp. */
  maxMemoryBytes: number;
}

/** The function throws UndrawablePicture `busy` when too many jobs or bytes wait, or no process can be started. */
export function createDecoders(options: DecoderOptions): (job: DecoderJob) => Promise<DecoderAnswer> {
  const runJob = createJobProcesses<DecoderJob, DecoderAnswer>({
    ...options,
    name: "picture decoder",
    module: ["lib", "media", "decoder-process.ts"],
    sizeOf: ({ bytes }) => bytes.byteLength,
    refusal: () => new UndrawablePicture("busy"),
    heapMb: 64,
    // sharp's own limit ends most pictures earlier.
    timeoutMs: 12_000,
    idleMs: 60_000,
  });
  return async (job) => (await runJob(job)) ?? { ok: false, reason: "too_large" };
}
