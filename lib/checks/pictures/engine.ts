import { env } from "#lib/base/env.ts";
import { log } from "#lib/base/log.ts";
import { createJobProcesses } from "#lib/media/job-processes.ts";
import type { EngineAnswer, Scores } from "./models.ts";

/*
 * The classifier runs in one child process of the worker, which may die without harm
 * (docs/decisions/0031-local-picture-checks.md). On Vercel it runs in the function.
 */

/** Memory limit of the child process. Measured peak: 215 MB. */
export const MAX_MEMORY_BYTES = 450e6;
const MIB = 1024 * 1024;

/** A failure that no picture caused. `ended`: the process died or was too slow. `failed`: the model cannot be loaded. */
export class EngineFailure extends Error {
  override readonly name = "EngineFailure";
  readonly kind: "ended" | "failed" | "busy";

  constructor(kind: "ended" | "failed" | "busy", message: string) {
    super(message);
    this.kind = kind;
  }
}

/** @throws EngineFailure */
export type Engine = (pixels: Uint8Array) => Promise<Scores>;

export function createEngine(maxMemoryBytes: number): Engine {
  const runJob = createJobProcesses<Uint8Array, EngineAnswer>({
    name: "picture engine",
    module: ["lib", "checks", "pictures", "engine-process.ts"],
    processes: 1,
    maxWaitingBytes: 64 * MIB,
    sizeOf: (pixels) => pixels.byteLength,
    refusal: () => new EngineFailure("busy", "Too many pictures are waiting to be checked."),
    maxMemoryBytes,
    heapMb: 192,
    timeoutMs: 60_000,
  });
  return async (pixels) => scoresOf(await runJob(pixels));
}

function scoresOf(answer: EngineAnswer | null): Scores {
  if (answer?.ok === true) return answer.scores;
  const failure =
    answer === null
      ? new EngineFailure("ended", "The process that checks pictures ended: too little memory or time.")
      : new EngineFailure("failed", answer.problem);
  log.warn({ reason: failure.message }, "picture check failed");
  throw failure;
}

let engine: Engine | undefined;

/** @throws EngineFailure */
export function askModel(pixels: Uint8Array): Promise<Scores> {
  // A serverless function has its own memory limit and is replaced when it fails.
  engine ??= env().VERCEL === undefined ? createEngine(MAX_MEMORY_BYTES) : askHere;
  return engine(pixels);
}

async function askHere(pixels: Uint8Array): Promise<Scores> {
  const { answerOf } = await import("./models.ts");
  return scoresOf(await answerOf(pixels));
}
