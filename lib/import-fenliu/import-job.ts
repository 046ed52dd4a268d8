import { type ChildProcess, fork } from "node:child_process";
import { statSync } from "node:fs";
import path from "node:path";
import { env } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { commandHeapFlags } from "#lib/machine-memory.ts";
import { failRequest } from "./run-request.ts";
import { readState, removeState, Request, uploadPath } from "./upload-folder.ts";

/* The worker's part: it starts the process of the import and watches it. */

const MAX_ATTEMPTS = 3;
/** A hostile file may keep SQLite busy for ever. */
const MAX_MS = 3 * 3_600_000;
/** A file that nobody imports is deleted. */
const KEPT_MS = 7 * 86_400_000;

let child: ChildProcess | null = null;
let ended = { request: "", times: 0 };

/** Whether there is something to start or to delete. */
export function isImportDue(): Promise<boolean> {
  if (env().VERCEL !== undefined || child !== null) return Promise.resolve(false);
  return Promise.resolve(readState("request", Request) !== null || isForgotten());
}

export function runImportJob(): Promise<{ worked: boolean }> {
  const request = readState("request", Request);
  if (request === null) removeState("database", "upload");
  else if (ended.request === request.started_at && ended.times >= MAX_ATTEMPTS)
    failRequest("The process that reads the file ended: too little memory or time");
  else start(request.started_at);
  return Promise.resolve({ worked: false });
}

function start(request: string): void {
  const module = path.join(
    /*turbopackIgnore: true*/ process.cwd(),
    "lib",
    "import-fenliu",
    "import-process.ts",
  );
  const started = fork(module, [], {
    execArgv: ["--disable-warning=ExperimentalWarning", ...commandHeapFlags],
  });
  child = started;
  const late = setTimeout(() => started.kill("SIGKILL"), MAX_MS).unref();
  started.on("error", (error) => log.warn({ err: error }, "import process failed"));
  started.once("exit", (code, signal) => {
    clearTimeout(late);
    child = null;
    if (code === 0) return;
    log.warn({ code, signal }, "import process ended");
    ended = { request, times: ended.request === request ? ended.times + 1 : 1 };
  });
  // It ends with the worker; the next one starts it again.
  started.unref();
  started.channel?.unref();
}

function isForgotten(): boolean {
  try {
    return Date.now() - statSync(uploadPath("database")).mtimeMs > KEPT_MS;
  } catch {
    return false;
  }
}
