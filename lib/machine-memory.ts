import { totalmem } from "node:os";

/** Smallest MEMORY_MB (docs/decisions/0034-heap-budget.md). */
export const MIN_MEMORY_MB = 600;

/** Megabytes of this machine, or of its cgroup (a container's limit). */
export function machineMemory(): number {
  const limit = process.constrainedMemory();
  return Math.floor((limit > 0 ? Math.min(limit, totalmem()) : totalmem()) / 2 ** 20);
}

/** Flags of a process for a command or an import. Without limits the heap grows with the memory of the machine. */
export const commandHeapFlags = ["--max-old-space-size=160", "--max-semi-space-size=4"];
