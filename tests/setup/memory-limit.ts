import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/* Processes with a limit of memory, in a control group of their own. */

const V1 = "/sys/fs/cgroup/memory";
const V2 = "/sys/fs/cgroup";
const SAMPLE_MS = 200;

export type MemoryGroup = {
  /** Adds a process; its later children belong to the group, too. */
  add: (pid: number) => void;
  /** Largest sum of the processes' own memory so far, without file caches, in megabytes. */
  peak: () => number;
  /** Number of processes that the system killed for lack of memory. */
  kills: () => number;
  /** Call it after the processes have ended. */
  remove: () => void;
};

/**
 * @param megabytes of the processes and their file caches
 * @returns null where this user may not make control groups
 */
export function limitMemory(megabytes: number): MemoryGroup | null {
  const isV1 = existsSync(path.join(V1, "memory.limit_in_bytes"));
  const folder = path.join(isV1 ? V1 : V2, `sluice-test-${process.pid}`);
  try {
    mkdirSync(folder);
  } catch {
    return null;
  }
  try {
    const limit = isV1 ? "memory.limit_in_bytes" : "memory.max";
    writeFileSync(path.join(folder, limit), String(megabytes * 2 ** 20));
  } catch {
    rmdirSync(folder);
    return null;
  }
  const read = (file: string, name: string) =>
    Number(new RegExp(`^${name} (\\d+)$`, "m").exec(readFileSync(path.join(folder, file), "utf8"))?.[1] ?? 0);
  const used = () => read("memory.stat", isV1 ? "total_rss" : "anon");
  let peak = 0;
  const sampling = setInterval(() => (peak = Math.max(peak, used())), SAMPLE_MS);
  return {
    add: (pid) => writeFileSync(path.join(folder, "cgroup.procs"), String(pid)),
    peak: () => Math.round(Math.max(peak, used()) / 2 ** 20),
    kills: () => read(isV1 ? "memory.oom_control" : "memory.events", "oom_kill"),
    remove: () => {
      clearInterval(sampling);
      rmdirSync(folder);
    },
  };
}
