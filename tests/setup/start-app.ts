import { fork } from "node:child_process";
import { createWriteStream } from "node:fs";
import { variableNames } from "#lib/env.ts";
import type { RunningMessage } from "#lib/runtime/run-service.ts";

export type App = {
  url: string;
  /** Of the supervisor; web server, worker and database are its children. */
  pid: number;
  setup_url: string | null;
  /** Stops it in order and waits for the end. */
  stop: () => Promise<void>;
};

export type AppOptions = {
  /** Absolute; made when missing. */
  dataDir: string;
  /** Settings; of the surrounding environment none reaches the application. */
  settings: Record<string, string>;
  /** Where its output goes; this process's own when left out. */
  logFile?: string;
};

/**
 * Starts the built application as `npm start` does: supervisor, database, web server, worker.
 * @throws Error when it ends before it runs
 */
export async function startApp({ dataDir, settings, logFile }: AppOptions): Promise<App> {
  const environment = { ...process.env };
  for (const name of variableNames) delete environment[name];
  delete environment.npm_lifecycle_event;
  const child = fork(new URL("../../lib/runtime/start.ts", import.meta.url), {
    execArgv: ["--disable-warning=ExperimentalWarning"],
    env: { ...environment, ENV_FILE: "", HOST: "127.0.0.1", PORT: "0", DATA_DIR: dataDir, ...settings },
    stdio: logFile === undefined ? "inherit" : ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  if (logFile !== undefined) {
    const log = createWriteStream(logFile, { flags: "a" });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.pipe(log, { end: false });
      stream?.on("data", (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4_000)));
    }
  }
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  const running = await new Promise<RunningMessage>((done, fail) => {
    child.once("message", (message: RunningMessage) => done(message));
    void ended.then(() => fail(new Error(`The application ended while it was starting:\n${output}`)));
  });
  return {
    url: running.url,
    pid: child.pid ?? 0,
    setup_url: running.setup_url,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
