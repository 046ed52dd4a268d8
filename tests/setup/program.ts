import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { variableNames } from "#lib/base/env.ts";

export type Running = {
  child: ChildProcess;
  /** So far. */
  output: () => string;
  /** Resolves when its output is closed: by then its container has ended, too. */
  ended: Promise<{ code: number | null; output: string }>;
};

export type ProgramOptions = { cwd?: string; uid?: number; gid?: number };

/** Starts a program of this project with only these settings, not those of the developer. */
export function startProgram(
  command: string,
  args: readonly string[],
  settings: Record<string, string | undefined>,
  options: ProgramOptions & { withChannel?: boolean; isShown?: boolean } = {},
): Running {
  const { withChannel = false, isShown = false, ...rest } = options;
  const shown = isShown ? "inherit" : "pipe";
  const environment: NodeJS.ProcessEnv = { ...process.env };
  for (const name of [...variableNames, "NODE_ENV", "INIT_CWD"]) delete environment[name];
  const child = spawn(command, args, {
    ...rest,
    env: { ...environment, ENV_FILE: "", ...settings },
    stdio: ["ignore", shown, shown, ...(withChannel ? ["ipc" as const] : [])],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += String(chunk)));
  const ended = new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once("close", (code) => resolve({ code, output })),
  );
  return { child, output: () => output, ended };
}

/**
 * Starts a file with Node.js, with a channel for messages.
 *
 * @param isShown its output goes to the terminal of this process
 */
export const startNode = (
  file: string,
  args: readonly string[],
  settings: Record<string, string | undefined>,
  isShown = false,
): Running =>
  startProgram(process.execPath, ["--disable-warning=ExperimentalWarning", file, ...args], settings, {
    withChannel: true,
    isShown,
  });

/** `npm run sluice -- <args>` */
export const runSluice = (args: readonly string[], settings: Record<string, string>) =>
  startNode("lib/runtime/cli/cli.ts", args, settings).ended;

/**
 * The address that a starting service prints.
 *
 * @throws Error with its output when it ends before
 */
export async function addressOf({ child, output }: Running): Promise<string> {
  for (;;) {
    const [, url] = /Sluice runs at (\S+)/.exec(output()) ?? [];
    if (url !== undefined) return url;
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(output());
    await sleep(50);
  }
}

export async function stopProgram({ child, ended }: Running): Promise<number | null> {
  child.kill("SIGTERM");
  return (await ended).code;
}

/** Whose title or command matches. */
export function childrenOf(parent: number | undefined, pattern: string): number[] {
  const { stdout } = spawnSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" });
  return stdout
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => Number(match?.[2]) === parent && new RegExp(pattern).test(match?.[3] ?? ""))
    .map((match) => Number(match?.[1]));
}
