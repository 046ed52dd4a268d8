import { MIN_MEMORY_MB, machineMemory } from "#lib/machine-memory.ts";

/** Megabytes that a process uses besides its heap: code, buffers, stacks. Measured (tests/bench/README.md). */
const BESIDES_HEAP = { supervisor: 105, web: 160, worker: 105 };
const SHARE = 0.6;
/** More is used only by collecting garbage later. */
const MAX_BUDGET = 1_536;

/** MEMORY_MB when it is not set. The rest is for PostgreSQL and the system. */
export function defaultBudget(memory = machineMemory()): number {
  return Math.max(MIN_MEMORY_MB, Math.min(Math.floor(memory * SHARE), MAX_BUDGET));
}

/**
 * Limits of V8's heap, which Node would otherwise choose by the size of the machine.
 *
 * @param budget megabytes for the supervisor and its processes together, at least MIN_MEMORY_MB
 * @param isAlone whether the supervisor has no other process
 */
export function heapFlags(process: "web" | "worker", budget: number, isAlone = false): string[] {
  const { supervisor, web, worker } = BESIDES_HEAP;
  const heaps = budget - supervisor - (isAlone ? BESIDES_HEAP[process] : web + worker);
  const old = isAlone ? heaps : Math.floor((heaps * (process === "web" ? 2 : 1)) / 3);
  const small = process === "web" && old >= 128 ? 8 : 4;
  // V8 keeps three semi-spaces of young objects, besides the old ones. Why not larger: docs/decisions/0034-heap-budget.md.
  return [`--max-old-space-size=${old}`, `--max-semi-space-size=${old >= 384 ? 16 : small}`];
}
