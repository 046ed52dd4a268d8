import { totalmem } from "node:os";

/** Smallest MEMORY_MB (docs/decisions/0034-heap-budget.md). */
export const MIN_MEMORY_MB = 600;

/** Megabytes of this machine, or of its cgroup (a container's limit). */
export function machineMemory(): number {
  const limit = process.constrainedMemory();
  return Math.floor((limit > 0 ? Math.min(limit, totalmem()) : totalmem()) / 2 ** 20);
}
