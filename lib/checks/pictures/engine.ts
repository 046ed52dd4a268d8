import { env } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { createJobProcesses } from "#lib/media/job-processes.ts";
import { noteEngine } from "./engine-state.ts";
import type { Opinion, PictureModel } from "./model-names.ts";
import type { EngineAnswer, EngineJob } from "./run-engine-job.ts";

/*
 * The classifiers run in one child process of the worker, which may die without harm
 * (docs/decisions/0031-local-picture-checks.md). On Vercel they run in the function.
 */

/** Measured peaks: 215 MB with the first model, 560 MB with both. */
export const MAX_MEMORY_BYTES = { first: 450e6, both: 800e6 };
const MIB = 1024 * 1024;

/** The picture is not the cause. `ended`: the process died or was too slow, `failed`: a model cannot be loaded. */
export class EngineFailure extends Error {
  override readonly name = "EngineFailure";
  readonly kind: "ended" | "failed" | "busy";

  constructor(kind: "ended" | "failed" | "busy", message: string) {
    super(message);
    this.kind = kind;
  }
}

/** @throws EngineFailure */
export type Engine = (job: EngineJob) => Promise<Opinion>;

/** @param note keeps the last failure, or null, for the screens */
export function createEngine(maxMemoryBytes: number, note: typeof noteEngine = noteEngine): Engine {
  const runJob = createJobProcesses<EngineJob, EngineAnswer>({
    name: "picture engine",
    module: ["lib", "checks", "pictures", "engine-process.ts"],
    processes: 1,
    maxWaiting: 256,
    maxWaitingBytes: 64 * MIB,
    sizeOf: ({ pixels }) => pixels.byteLength,
    refusal: () => new EngineFailure("busy", "Too many pictures are waiting to be checked."),
    maxMemoryBytes,
    heapMb: 192,
    // Loading the second model takes 1.2 s on an idle machine.
    timeoutMs: 60_000,
    idleMs: 60_000,
  });
  return (job) => answered(runJob, job, note);
}

async function answered(
  runJob: (job: EngineJob) => Promise<EngineAnswer | null>,
  job: EngineJob,
  note: typeof noteEngine,
): Promise<Opinion> {
  const answer = await runJob(job);
  if (answer?.ok === true) {
    await note(null);
    return answer.opinion;
  }
  const failure =
    answer === null
      ? new EngineFailure("ended", "The process that checks pictures ended: too little memory or time.")
      : new EngineFailure("failed", firstLine(answer.problem));
  log.warn({ model: job.model, reason: failure.message }, "picture check failed");
  await note(failure.message);
  throw failure;
}

function firstLine(problem: string): string {
  return problem.split("\n")[0]?.slice(0, 300) ?? "";
}

let engine: Engine | undefined;

/** @throws EngineFailure */
export function askModel(model: PictureModel, pixels: Uint8Array): Promise<Opinion> {
  const { VERCEL, AI_SECOND_OPINION } = env();
  engine ??=
    VERCEL === undefined
      ? createEngine(AI_SECOND_OPINION ? MAX_MEMORY_BYTES.both : MAX_MEMORY_BYTES.first)
      : (job) => answered(runHere, job, noteEngine);
  return engine({ model, pixels });
}

/** A serverless function has its own memory limit and is replaced when it fails. */
async function runHere(job: EngineJob): Promise<EngineAnswer> {
  const { runEngineJob } = await import("./run-engine-job.ts");
  return runEngineJob(job);
}
