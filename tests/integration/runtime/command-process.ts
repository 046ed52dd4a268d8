import { type ChildProcess, fork } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { variableNames } from "#lib/env.ts";

export type Run = { child: ChildProcess; ended: Promise<{ code: number | null; output: string }> };

/** A folder that the account of the database can reach, removed after the test. */
export function makeDataDir(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "sluice-data-"));
  chmodSync(folder, 0o711);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Starts a program of this project with only these settings.
 * @param project folder of another copy
 */
export function start(file: string, words: string[], settings: Record<string, string>, project = ""): Run {
  const environment: NodeJS.ProcessEnv = { ...process.env };
  for (const name of [...variableNames, "npm_lifecycle_event", "INIT_CWD"]) delete environment[name];
  const child = fork(path.resolve(project, file), words, {
    execArgv: ["--disable-warning=ExperimentalWarning"],
    env: { ...environment, ENV_FILE: "", ...settings },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += String(chunk)));
  const ended = new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once("close", (code) => resolve({ code, output })),
  );
  return { child, ended };
}

/** `npm run sluice -- <words>` */
export function sluice(words: string[], settings: Record<string, string>, project?: string) {
  return start("lib/runtime/cli/cli.ts", words, settings, project).ended;
}
