import { type ChildProcess, spawn } from "node:child_process";
import { variableNames } from "#lib/env.ts";

/**
 * Runs Node as an operator does, without the settings of this process.
 * @param prefix a program that runs it, with its options
 */
export function runNode(
  args: readonly string[],
  settings: Record<string, string>,
  prefix: readonly string[] = [],
) {
  const environment: NodeJS.ProcessEnv = { ...process.env };
  for (const name of [...variableNames, "npm_lifecycle_event"]) delete environment[name];
  const [command = "", ...parameters] = [
    ...prefix,
    process.execPath,
    "--disable-warning=ExperimentalWarning",
    ...args,
  ];
  const child = spawn(command, parameters, {
    env: { ...environment, ENV_FILE: "", PORT: "0", ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  return { child, output: () => output };
}

/** Resolves when its output is closed: by then its container has ended, too. */
export function ended(child: ChildProcess): Promise<number | null> {
  if (child.stdout?.closed && child.stderr?.closed) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => child.once("close", resolve));
}
