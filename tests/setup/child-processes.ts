import { spawnSync } from "node:child_process";

/** Process ids of a process's children whose command matches. */
export function childrenOf(parent: number | undefined, pattern: string): number[] {
  const { stdout } = spawnSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" });
  return stdout
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => Number(match?.[2]) === parent && new RegExp(pattern).test(match?.[3] ?? ""))
    .map((match) => Number(match?.[1]));
}
