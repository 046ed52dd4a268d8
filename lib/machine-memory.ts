import { totalmem } from "node:os";

/** Megabytes of this machine, or of its cgroup (a container's limit). */
export function machineMemory(): number {
  const limit = process.constrainedMemory();
  return Math.floor((limit > 0 ? Math.min(limit, totalmem()) : totalmem()) / 2 ** 20);
}
