import { type ChildProcess, fork } from "node:child_process";
import { flushCompileCache } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { log } from "#lib/base/log.ts";
import { OperatorError } from "#lib/runtime/terminal.ts";

export type ChildMessage =
  | { type: "ready" }
  /** It cannot start; the sentence is for the operator. */
  | { type: "failed"; sentence: string }
  /** The heartbeat. */
  | { type: "alive" };

/** A closed channel stops a child too. */
export type SupervisorMessage = { type: "stop" };

export type SupervisedChild = {
  ready: Promise<void>;
  /** @param limitMs until it is killed */
  stop: (limitMs: number) => Promise<void>;
  kill: () => void;
};

export type ChildOptions = {
  name: string;
  file: URL;
  env: NodeJS.ProcessEnv;
  /** Flags of Node.js. */
  flags?: string[];
  /** Time without a message after which it is killed. For processes that send a heartbeat. */
  silenceMs?: number | undefined;
  /** Before the second restart; doubled with each further one. Default 250. */
  pauseMs?: number;
};

const MAX_PAUSE_MS = 30_000;
/** Time after which a death counts as the first again. */
const HEALTHY_AFTER_MS = 60_000;

type End = { code: number | null; signal: NodeJS.Signals | null } | { problem: string };

/**
 * Restarts a child when it dies: at once the first time, then after growing pauses. A process that the system cannot
 * start counts as one that died. A death before the first one was ready rejects `ready` with an OperatorError.
 */
export function supervise(options: ChildOptions): SupervisedChild {
  let stopping = false;
  let isReady = false;
  let deaths = 0;
  let current: ChildProcess | null = null;
  let wake = new AbortController();

  const { promise: ready, ...settle } = Promise.withResolvers<void>();

  const launch = () => {
    const begun = Date.now();
    current = startProcess(options, (end) => {
      if (!isReady) settle.reject(new OperatorError(explainDeath(options.name, end)));
      if (stopping || !isReady) return;
      deaths = Date.now() - begun > HEALTHY_AFTER_MS ? 1 : deaths + 1;
      const pause = deaths === 1 ? 0 : Math.min((options.pauseMs ?? 250) * 2 ** (deaths - 2), MAX_PAUSE_MS);
      log.error({ process: options.name, ...end, pause }, "process died, restarting");
      void again(pause);
    });
    current?.on("message", (message: ChildMessage) => {
      if (message.type === "failed") fail(message.sentence);
      if (message.type !== "ready") return;
      isReady = true;
      settle.resolve();
    });
  };
  const fail = (sentence: string) => {
    if (isReady) return log.error({ process: options.name, reason: sentence }, "process cannot start");
    kill();
    settle.reject(new OperatorError(sentence));
  };
  const again = async (pause: number) => {
    wake = new AbortController();
    await sleep(pause, undefined, { signal: wake.signal }).catch(() => undefined);
    if (!stopping) launch();
  };
  const kill = () => {
    stopping = true;
    wake.abort();
    current?.kill("SIGKILL");
  };

  launch();
  return {
    ready,
    kill,
    stop: async (limit) => {
      stopping = true;
      wake.abort();
      const child = current;
      if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      if (child.connected) child.send({ type: "stop" } satisfies SupervisorMessage, () => undefined);
      const late = setTimeout(() => child.kill("SIGKILL"), limit);
      await gone;
      clearTimeout(late);
    },
  };
}

/**
 * @param onEnd called once, also when the system has no memory or process number for the child
 * @returns null for a process that was not started
 */
function startProcess(options: ChildOptions, onEnd: (end: End) => void): ChildProcess | null {
  const { file, env, flags = [] } = options;
  try {
    const child = fork(file, { env, execArgv: ["--disable-warning=ExperimentalWarning", ...flags] });
    child.once("exit", (code, signal) => onEnd({ code, signal }));
    child.once("spawn", () => killWhenSilent(child, options));
    child.on("error", ({ message }) => {
      // A running process reports a message that could not be sent.
      if (child.pid === undefined) onEnd({ problem: message });
    });
    return child;
  } catch (error) {
    // Some causes are thrown, the others arrive as an event.
    process.nextTick(onEnd, { problem: (error as Error).message });
    return null;
  }
}

function killWhenSilent(child: ChildProcess, { name, silenceMs }: ChildOptions): void {
  if (silenceMs === undefined) return;
  const silent = setTimeout(() => {
    log.error({ process: name, silence: silenceMs }, "process sends no heartbeat, killing it");
    child.kill("SIGKILL");
  }, silenceMs);
  child.on("message", () => silent.refresh());
  child.once("exit", () => clearTimeout(silent));
}

function explainDeath(name: string, end: End): string {
  if ("problem" in end) return `The ${name} cannot be started (${end.problem}).`;
  return `The ${name} ended while it was starting (${end.signal ?? `code ${end.code}`}).`;
}

export function tellSupervisor(message: ChildMessage): void {
  if (process.connected) process.send?.(message);
  // A process killed later would lose its compile cache.
  if (message.type === "ready") flushCompileCache();
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
