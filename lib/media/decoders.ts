import type { DecoderAnswer, DecoderJob } from "./decoder-messages.ts";
import { createJobProcesses } from "./job-processes.ts";
import { UndrawablePicture } from "./undrawable-picture.ts";

export interface DecoderOptions {
  processes: number;
  /** Jobs that wait for a process. */
  maxWaiting: number;
  /** Bytes of the pictures that wait. */
  maxWaitingBytes: number;
  /** Resident bytes of a process, of which about 95 MB are Node and sharp. */
  maxMemory: number;
}

/** The function throws UndrawablePicture `busy` when too many jobs or bytes wait, or no process can be started. */
export function createDecoders(options: DecoderOptions): (job: DecoderJob) => Promise<DecoderAnswer> {
  const ask = createJobProcesses<DecoderJob, DecoderAnswer>({
    ...options,
    name: "picture decoder",
    module: ["lib", "media", "decoder-process.ts"],
    sizeOf: ({ bytes }) => bytes.byteLength,
    refusal: () => new UndrawablePicture("busy"),
    heap: 64,
    // sharp's own limit ends most pictures earlier.
    patience: 12_000,
    idle: 60_000,
  });
  return async (job) => (await ask(job)) ?? { ok: false, reason: "too_large" };
}
