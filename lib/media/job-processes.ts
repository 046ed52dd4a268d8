import { fork, type ChildProcess } from "node:child_process";
import path from "node:path";
import { minimalEnvironment } from "#lib/base/env.ts";
import { log } from "#lib/base/log.ts";
import { limited } from "./limited.ts";

/* Child processes that may die without harm: started on demand, one job at a time each, ended when unused. */

export interface JobProcesses<Job> {
  /** In log lines. */
  name: string;
  /** Path of the child's module from the root of the project; it calls `serveJobs`. */
  module: readonly string[];
  processes: number;
  /** Jobs that wait for a process. */
  maxWaiting: number;
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
  /** An unused process ends after this time, to free its memory. */
  idleMs: number;
}

/** The function answers null when the process ended or took too long. It throws the refusal. */
export function createJobProcesses<Job extends object, Answer>(
  options: JobProcesses<Job>,
): (job: Job) => Promise<Answer | null> {
  const { processes, maxWaiting, maxWaitingBytes, sizeOf, refusal } = options;
  const inTurn = limited(processes, { maxWaiting, maxWaitingSize: maxWaitingBytes, refusal });
  const idle: { child: ChildProcess; timer: NodeJS.Timeout }[] = [];

  /** The most recently used one, so that others may end. */
  function takeIdle(): ChildProcess | null {
    for (let found = idle.pop(); found !== undefined; found = idle.pop()) {
      clearTimeout(found.timer);
      if (found.child.connected) return found.child;
    }
    return null;
  }

  function keepIdle(child: ChildProcess): void {
    const timer = setTimeout(() => {
      idle.splice(0, idle.length, ...idle.filter((each) => each.child !== child));
      child.kill("SIGKILL");
    }, options.idleMs);
    timer.unref();
    idle.push({ child, timer });
  }

  return (job) =>
    inTurn(async () => {
      const child = takeIdle() ?? start(options);
      const answer = await ask<Answer>(child, job, options);
      if (answer !== null) keepIdle(child);
      return answer;
    }, sizeOf(job));
}

function start<Job>(options: JobProcesses<Job>): ChildProcess {
  const child = tryFork(options);
  // A failed start may be an event. Sending to a process that ends fails later, too.
  child?.on("error", (error) => log.warn({ err: error }, `${options.name} failed`));
  if (child?.pid === undefined) throw options.refusal();
  // It must not keep this process running.
  child.unref();
  child.channel?.unref();
  return child;
}

function tryFork<Job>({ name, module, maxMemoryBytes, heapMb }: JobProcesses<Job>): ChildProcess | null {
  try {
    return fork(path.join(/*turbopackIgnore: true*/ process.cwd(), ...module), [String(maxMemoryBytes)], {
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
  } catch (error) {
    log.warn({ err: error }, `${name} failed`);
    return null;
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
