import { freemem, totalmem } from "node:os";

/** Megabytes of this machine, or of its cgroup (a container's limit). */
export function machineMemory(): number {
  return withinLimit(totalmem());
}

/**
 * Megabytes that programs can still use, with those of file caches. Below a limit, caches of the cgroup count as free
 * and its other processes are not known: it is the limit at most.
 */
export function freeMemory(): number {
  return withinLimit(freemem());
}

function withinLimit(bytes: number): number {
  const limit = process.constrainedMemory();
  return Math.floor((limit > 0 ? Math.min(limit, bytes) : bytes) / 2 ** 20);
}
