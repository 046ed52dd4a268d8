import { type ChildProcess, fork } from "node:child_process";
import { flushCompileCache } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { log } from "#lib/log.ts";
import { OperatorError } from "../terminal.ts";

/** What a child tells its supervisor. */
export type ChildMessage =
  | ReadyMessage
  /** It cannot work, and starting it again would not help; the sentence is for the operator. */
  | { type: "failed"; sentence: string };

export type ReadyMessage = {
  type: "ready";
  /** The worker's: where the first account is made, while there is none. */
  setup_url?: string | null;
};

/** What a supervisor tells a child. A child whose channel closes stops by itself: its supervisor is gone. */
export type SupervisorMessage = { type: "stop" };

export type SupervisedChild = {
  /** What it said when it was ready for the first time. */
  ready: Promise<ReadyMessage>;
  /** Asks it to stop, and kills it when it has not done so after `limit` milliseconds. */
  stop: (limit: number) => Promise<void>;
  kill: () => void;
};

export type ChildOptions = {
  name: string;
  file: URL;
  env: NodeJS.ProcessEnv;
};

const LONGEST_PAUSE = 30_000;
/** A child that lived this long was healthy: its next death is answered at once again. */
const HEALTHY_AFTER = 60_000;

/**
 * Starts a child and starts it again whenever it dies: at once the first time, then after growing pauses.
 * A death before it was ready for the first time is final; `ready` is rejected with an OperatorError then.
 */
export function supervise(options: ChildOptions): SupervisedChild {
  let stopping = false;
  let isReady = false;
  let deaths = 0;
  let current: ChildProcess;
  let wake = new AbortController();

  const launch = () => {
    const begun = Date.now();
    current = fork(options.file, { env: options.env, execArgv: ["--disable-warning=ExperimentalWarning"] });
    current.once("exit", (code, signal) => {
      if (stopping || !isReady) return;
      deaths = Date.now() - begun > HEALTHY_AFTER ? 1 : deaths + 1;
      const pause = deaths === 1 ? 0 : Math.min(250 * 2 ** (deaths - 2), LONGEST_PAUSE);
      log.error({ process: options.name, code, signal, pause }, "process died, starting it again");
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

/** For a child: tells the supervisor something, if there is one. */
export function tellSupervisor(message: ChildMessage): void {
  process.send?.(message);
  // All modules are loaded by now; waiting for the end would lose the cache whenever the process is killed.
  if (message.type === "ready") flushCompileCache();
}

/**
 * For a child: calls `stop` once, when the supervisor says so, is gone, or the process is told to terminate.
 * Ctrl-C at the terminal reaches every process; only the supervisor acts on it, so that the order is kept.
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
