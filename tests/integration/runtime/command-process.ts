import { onTestFinished } from "vitest";
import { type Running, startNode, startProgram } from "#tests/setup/program.ts";

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
