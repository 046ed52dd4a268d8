import { type ChildProcess, fork } from "node:child_process";
import { flushCompileCache } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { log } from "#lib/log.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";

export type ChildMessage =
  | ReadyMessage
  /** A restart would not help; the sentence is for the operator. */
  | { type: "failed"; sentence: string };

export type ReadyMessage = {
  type: "ready";
  /** From the worker, while there is no account. */
  setup_url?: string | null;
};

/** A closed channel stops a child too. */
export type SupervisorMessage = { type: "stop" };

export type SupervisedChild = {
  ready: Promise<ReadyMessage>;
  /** @param limit milliseconds until it is killed */
  stop: (limit: number) => Promise<void>;
  kill: () => void;
};

export type ChildOptions = {
  name: string;
  file: URL;
  env: NodeJS.ProcessEnv;
  /** Of Node.js. */
  flags?: string[];
};

const LONGEST_PAUSE = 30_000;
/** Milliseconds after which a death counts as the first again. */
const HEALTHY_AFTER = 60_000;

/**
 * Restarts a child when it dies: at once the first time, then after growing pauses. A death before it was
 * ready rejects `ready` with an OperatorError.
 */
export function supervise(options: ChildOptions): SupervisedChild {
  let stopping = false;
  let isReady = false;
  let deaths = 0;
  let current: ChildProcess;
  let wake = new AbortController();

  const launch = () => {
    const begun = Date.now();
    current = fork(options.file, {
      env: options.env,
      execArgv: ["--disable-warning=ExperimentalWarning", ...(options.flags ?? [])],
    });
    current.once("exit", (code, signal) => {
      if (stopping || !isReady) return;
      deaths = Date.now() - begun > HEALTHY_AFTER ? 1 : deaths + 1;
      const pause = deaths === 1 ? 0 : Math.min(250 * 2 ** (deaths - 2), LONGEST_PAUSE);
      log.error({ process: options.name, code, signal, pause }, "process died, restarting");
      void again(pause);
    });
    return current;
  };
  const again = async (pause: number) => {
    wake = new AbortController();
    await sleep(pause, undefined, { signal: wake.signal }).catch(() => undefined);
    if (!stopping) launch();
  };
  const kill = () => {
    stopping = true;
    wake.abort();
    current.kill("SIGKILL");
  };

  const first = launch();
  const ready = new Promise<ReadyMessage>((resolve, reject) => {
    first.once("exit", (code, signal) => {
      reject(
        new OperatorError(`The ${options.name} ended while it was starting (${signal ?? `code ${code}`}).`),
      );
    });
    first.on("message", (message: ChildMessage) => {
      if (message.type === "ready") {
        isReady = true;
        resolve(message);
      } else {
        kill();
        reject(new OperatorError(message.sentence));
      }
    });
  });
  return {
    ready,
    kill,
    stop: async (limit) => {
      stopping = true;
      wake.abort();
      if (current.exitCode !== null || current.signalCode !== null) return;
      const gone = new Promise<void>((resolve) => current.once("exit", () => resolve()));
      if (current.connected) current.send({ type: "stop" } satisfies SupervisorMessage, () => undefined);
      const late = setTimeout(() => current.kill("SIGKILL"), limit);
      await gone;
      clearTimeout(late);
    },
  };
}

export function tellSupervisor(message: ChildMessage): void {
  process.send?.(message);
  // A process killed later would lose its compile cache.
  if (message.type === "ready") flushCompileCache();
}

/**
 * Calls `stop` once, on the supervisor's message, a closed channel or SIGTERM. Ctrl-C reaches all processes;
 * only the supervisor acts on it.
 */
export function onStop(stop: () => void): void {
  let told = false;
  const once = () => {
    if (!told) stop();
    told = true;
  };
  process.on("message", (message: SupervisorMessage) => {
    if (message.type === "stop") once();
  });
  process.on("disconnect", once);
  process.on("SIGTERM", once);
  process.on("SIGINT", () => {
    if (process.send === undefined) once();
  });
}
