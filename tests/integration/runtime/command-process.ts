import { type ChildProcess, fork } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { variableNames } from "#lib/base/env.ts";

export type Run = {
  child: ChildProcess;
  /** So far. */
  output: () => string;
  /** Resolves when its output is closed: by then its container has ended, too. */
  ended: Promise<{ code: number | null; output: string }>;
};

/** A folder that the account of the database can reach, removed after the test. */
export function makeDataDir(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "sluice-data-"));
  chmodSync(folder, 0o711);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Starts a program of this project with only these settings; it is killed after the test.
 * @param options project: folder of another copy; prefix: a program that runs Node, with its options
 */
export function start(
  file: string,
  args: readonly string[],
  settings: Record<string, string>,
  { project = "", prefix = [] }: { project?: string; prefix?: readonly string[] } = {},
): Run {
  const environment: NodeJS.ProcessEnv = { ...process.env };
  for (const name of [...variableNames, "INIT_CWD"]) delete environment[name];
  const [execPath = "", ...execArgv] = [...prefix, process.execPath, "--disable-warning=ExperimentalWarning"];
  const child = fork(path.resolve(project, file), args, {
    execPath,
    execArgv,
    env: { ...environment, ENV_FILE: "", ...settings },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += String(chunk)));
  const ended = new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once("close", (code) => resolve({ code, output })),
  );
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return { child, output: () => output, ended };
}

/** `npm run sluice -- <args>` */
export function sluice(args: string[], settings: Record<string, string>, project?: string) {
  return start("lib/runtime/cli/cli.ts", args, settings, { project }).ended;
}
