import { fork, type ChildProcess } from "node:child_process";
import path from "node:path";
import { minimalEnvironment } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import type { DecoderAnswer, DecoderJob } from "./decoder-messages.ts";
import { limited } from "./limited.ts";
import { UndrawablePicture } from "./undrawable-picture.ts";

/* Decoder processes: started on demand, one job at a time each, ended when unused. */

export interface DecoderOptions {
  processes: number;
  /** Jobs that wait for a process. */
  maxWaiting: number;
  /** Bytes of the pictures that wait. */
  maxWaitingBytes: number;
  /** Resident bytes of a process, of which about 95 MB are Node and sharp. */
  maxMemory: number;
}

/** Milliseconds. sharp's own limit ends most pictures earlier. */
const PATIENCE = 12_000;
/** Milliseconds after which an unused process ends, to free its memory. */
const IDLE = 60_000;
const MODULE = ["lib", "media", "decoder-process.ts"];

/** The function throws UndrawablePicture `busy` when too many jobs or bytes wait. */
export function createDecoders(options: DecoderOptions): (job: DecoderJob) => Promise<DecoderAnswer> {
  const { processes, maxWaiting, maxWaitingBytes, maxMemory } = options;
  const inTurn = limited(processes, {
    most: maxWaiting,
    mostSize: maxWaitingBytes,
    refusal: () => new UndrawablePicture("busy"),
  });
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
    }, IDLE);
    timer.unref();
    idle.push({ child, timer });
  }

  return (job) =>
    inTurn(async () => {
      const child = takeIdle() ?? start(maxMemory);
      const answer = await ask(child, job);
      if (answer === null) return { ok: false, reason: "too_large" };
      keepIdle(child);
      return answer;
    }, job.bytes.byteLength);
}

/** @throws UndrawablePicture `busy` when the system has no memory or process number for it */
function start(maxMemory: number): ChildProcess {
  const child = tryFork(maxMemory);
  // A failed start may be an event. Sending to a process that ends fails later, too.
  child?.on("error", (error) => log.warn({ err: error }, "picture decoder failed"));
  if (child?.pid === undefined) throw new UndrawablePicture("busy");
  // A decoder must not keep this process running.
  child.unref();
  child.channel?.unref();
  return child;
}

function tryFork(maxMemory: number): ChildProcess | null {
  try {
    return fork(path.join(/*turbopackIgnore: true*/ process.cwd(), ...MODULE), [String(maxMemory)], {
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      execArgv: [
        "--disable-warning=ExperimentalWarning",
        "--max-old-space-size=64",
        "--max-semi-space-size=2",
      ],
      // Fewer arenas leave less freed memory unused.
      env: { ...minimalEnvironment(), MALLOC_ARENA_MAX: "2" },
    });
  } catch (error) {
    log.warn({ err: error }, "picture decoder failed");
    return null;
  }
}

/** Null when the process ended or took too long. */
function ask(child: ChildProcess, job: DecoderJob): Promise<DecoderAnswer | null> {
  return new Promise((resolve) => {
    const settle = (answer: DecoderAnswer | null) => {
      clearTimeout(late);
      child.off("message", settle).off("exit", ended).off("error", ended);
      resolve(answer);
    };
    const ended = (reason?: unknown, signal?: unknown) => {
      log.warn({ reason, signal }, "picture decoder ended");
      child.kill("SIGKILL");
      settle(null);
    };
    const late = setTimeout(() => ended("timeout"), PATIENCE);
    child.on("message", settle).on("exit", ended).on("error", ended);
    child.send(job, (error) => {
      if (error) ended(error.message);
    });
  });
}
