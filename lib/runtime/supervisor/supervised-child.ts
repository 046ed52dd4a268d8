import { type ChildProcess, fork } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { log } from "#lib/base/log.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";

export type ChildMessage =
  | { type: "ready" }
  /** The child cannot start. The sentence is for the operator. */
  | { type: "failed"; sentence: string }
  /** The heartbeat. */
  | { type: "alive" };

/** Message that stops a child. A closed channel stops it too. */
export type SupervisorMessage = { type: "stop" };

export type SupervisedChild = {
  ready: Promise<void>;
  /** Stops the child. @param limitMs time after which it is killed */
  stop: (limitMs: number) => Promise<void>;
  kill: () => void;
};

export type ChildOptions = {
  name: string;
  file: URL;
  env: NodeJS.ProcessEnv;
  /** Flags of Node.js. */
  flags?: string[];
  /** Time without a message after which the child is killed. For processes that send a heartbeat. */
  silenceMs?: number | undefined;
  /** Pause before the second restart; doubled with each further one. Default 250. */
  pauseMs?: number;
};

const MAX_PAUSE_MS = 30_000;
/** A child that ran for so long is healthy: its next death counts as the first. */
const HEALTHY_AFTER_MS = 60_000;

/**
 * Restarts a child when it dies: at once the first time, then after growing pauses. A process that the system cannot
 * start counts as one that died. A death before the first one was ready rejects `ready` with an OperatorError.
 */
export function supervise(options: ChildOptions): SupervisedChild {
  const { name, pauseMs = 250 } = options;
  const stopping = new AbortController();
  let current: ChildProcess | undefined;
  let isReady = false;
  const { promise: ready, ...settle } = Promise.withResolvers<void>();

  const hear = (message: ChildMessage) => {
    if (message.type === "ready") {
      isReady = true;
      settle.resolve();
    }
    if (message.type !== "failed") return;
    if (isReady) return log.error({ process: name, reason: message.sentence }, "process cannot start");
    settle.reject(new OperatorError(message.sentence));
    kill();
  };
  const keep = async () => {
    for (let deaths = 0; !stopping.signal.aborted;) {
      const begun = Date.now();
      const end = await run(options, (child) => (current = child.on("message", hear)));
      if (!isReady)
        return settle.reject(new OperatorError(`The ${name} ended while it was starting (${end}).`));
      if (stopping.signal.aborted) return;
      deaths = Date.now() - begun > HEALTHY_AFTER_MS ? 1 : deaths + 1;
      const pause = deaths === 1 ? 0 : Math.min(pauseMs * 2 ** (deaths - 2), MAX_PAUSE_MS);
      log.error({ process: name, reason: end, pause }, "process died, restarting");
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const kill = () => {
    stopping.abort();
    current?.kill("SIGKILL");
  };

  const ended = keep();
  return {
    ready,
    kill,
    stop: async (limit) => {
      stopping.abort();
      if (current?.connected) current.send({ type: "stop" } satisfies SupervisorMessage, () => undefined);
      const late = setTimeout(() => current?.kill("SIGKILL"), limit);
      await ended;
      clearTimeout(late);
    },
  };
}

/**
 * @param onStart called with the started child
 * @returns how it ended, also when the system has no memory or process number for it
 */
function run(options: ChildOptions, onStart: (child: ChildProcess) => void): Promise<string> {
  const { name, file, env, flags = [], silenceMs } = options;
  return new Promise<string>((resolve) => {
    const child = fork(file, { env, execArgv: ["--disable-warning=ExperimentalWarning", ...flags] });
    child.once("exit", (code, signal) => resolve(signal ?? `code ${code}`));
    // A running process reports a message that could not be sent.
    child.on("error", ({ message }) => child.pid === undefined && resolve(message));
    onStart(child);
    if (silenceMs === undefined) return;
    const silent = setTimeout(() => {
      log.error({ process: name, silence: silenceMs }, "process sends no heartbeat, killing it");
      child.kill("SIGKILL");
    }, silenceMs);
    child.on("message", () => silent.refresh());
    child.once("exit", () => clearTimeout(silent));
    // Some causes are thrown, the others arrive as an event.
  }).catch(({ message }: Error) => message);
}

export function tellSupervisor(message: ChildMessage): void {
  if (process.connected) process.send?.(message);
}

/**
 * Calls `stop` once, on the supervisor's message, a closed channel or SIGTERM. Ctrl-C reaches all processes;
 * only the supervisor acts on it.
 */
export function onStop(stop: () => void): void {
  let isCalled = false;
  const once = () => {
    if (!isCalled) stop();
    isCalled = true;
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
