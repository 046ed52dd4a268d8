import { fork, type ChildProcess } from "node:child_process";
import path from "node:path";
import { minimalEnvironment } from "#lib/base/env.ts";
import { log } from "#lib/base/log.ts";
import { limited } from "./limited.ts";

/* Child processes that may die without harm: started on demand, one job at a time each, ended when unused. */

interface JobProcesses<Job> {
  /** In log lines. */
  name: string;
  /** Path of the child's module from the root of the project; it calls `serveJobs`. */
  module: readonly string[];
  processes: number;
  /** Sum of the jobs that wait. */
  maxWaitingBytes: number;
  sizeOf: (job: Job) => number;
  /** Thrown when too much waits, and when the system has no memory or process number for a process. */
  refusal: () => Error;
  /** Resident memory of a process. */
  maxMemoryBytes: number;
  /** V8's heap. */
  heapMb: number;
  /** Time for one job. */
  timeoutMs: number;
}

/** An unused process ends after this time, to free its memory. */
const IDLE_MS = 60_000;

/**
 * Makes a function that runs a job in a child process. It answers null when the process ended or took too long, and throws the
 * refusal.
 */
export function createJobProcesses<Job extends object, Answer>(
  options: JobProcesses<Job>,
): (job: Job) => Promise<Answer | null> {
  const { processes, maxWaitingBytes, sizeOf, refusal } = options;
  const withSlot = limited(processes, { maxWaitingSize: maxWaitingBytes, refusal });
  /** Unused processes with the timers that end them. The last used one is taken first, so that others may end. */
  const idle = new Map<ChildProcess, NodeJS.Timeout>();

  function takeIdle(): ChildProcess | undefined {
    for (const [child, timer] of [...idle].reverse()) {
      clearTimeout(timer);
      idle.delete(child);
      if (child.connected) return child;
    }
    return undefined;
  }

  return (job) =>
    withSlot(async () => {
      const child = takeIdle() ?? start(options);
      const answer = await ask<Answer>(child, job, options);
      if (answer === null) return null;
      const end = () => idle.delete(child) && child.kill("SIGKILL");
      idle.set(child, setTimeout(end, IDLE_MS).unref());
      return answer;
    }, sizeOf(job));
}

function start<Job>({ name, module, maxMemoryBytes, heapMb, refusal }: JobProcesses<Job>): ChildProcess {
  try {
    const file = path.join(/*turbopackIgnore: true*/ process.cwd(), ...module);
    const child = fork(file, [String(maxMemoryBytes)], {
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      execArgv: [
        "--disable-warning=ExperimentalWarning",
        `--max-old-space-size=${heapMb}`,
        "--max-semi-space-size=2",
      ],
      // Fewer arenas leave less freed memory unused.
      env: { ...minimalEnvironment(), MALLOC_ARENA_MAX: "2" },
    });
    // A failed start may be an event. Sending to a process that ends fails later, too.
    child.on("error", (error) => log.warn({ err: error }, `${name} failed`));
    if (child.pid === undefined) throw refusal();
    // It must not keep this process running.
    child.unref();
    child.channel?.unref();
    return child;
  } catch (error) {
    log.warn({ err: error }, `${name} failed`);
    throw refusal();
  }
}

function ask<Answer>(
  child: ChildProcess,
  job: object,
  { name, timeoutMs }: { name: string; timeoutMs: number },
): Promise<Answer | null> {
  return new Promise((resolve) => {
    const settle = (answer: Answer | null) => {
      clearTimeout(late);
      child.off("message", settle).off("exit", ended).off("error", ended);
      resolve(answer);
    };
    const ended = (reason?: unknown, signal?: unknown) => {
      log.warn({ reason, signal }, `${name} ended`);
      child.kill("SIGKILL");
      settle(null);
    };
    const late = setTimeout(() => ended("timeout"), timeoutMs);
    child.on("message", settle).on("exit", ended).on("error", ended);
    child.send(job, (error) => {
      if (error) ended(error.message);
    });
  });
}
