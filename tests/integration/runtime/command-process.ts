import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { type Running, startNode, startProgram } from "#tests/setup/program.ts";

/** A folder that the account of the database can reach, removed after the test. */
export function makeDataDir(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "sluice-data-"));
  chmodSync(folder, 0o711);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Starts a program of this project with only these settings; it is killed after the test.
 *
 * @param prefix a program that runs Node, with its options
 */
export function start(
  file: string,
  args: readonly string[],
  settings: Record<string, string>,
  [prefix, ...options]: readonly string[] = [],
): Running {
  const node = [process.execPath, "--disable-warning=ExperimentalWarning", file, ...args];
  const running =
    prefix === undefined
      ? startNode(file, args, settings)
      : startProgram(prefix, [...options, ...node], settings);
  onTestFinished(async () => {
    running.child.kill("SIGKILL");
    await running.ended;
  });
  return running;
}

/** `npm run sluice -- <args>` */
export const sluice = (args: string[], settings: Record<string, string>) =>
  start("lib/runtime/cli/cli.ts", args, settings).ended;
