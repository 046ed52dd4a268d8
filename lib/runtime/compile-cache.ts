import { enableCompileCache } from "node:module";
import path from "node:path";
import { PROGRAM, release } from "#lib/runtime/release/release.ts";

/** Node's compile cache halves the CPU time for loading the worker's modules. null: nothing is written in an archive. */
export const COMPILE_CACHE =
  release === null ? path.join(PROGRAM, "node_modules", ".sluice", "compile-cache") : null;

/** For modules that are loaded later. */
export function cacheCompiledModules(): void {
  if (COMPILE_CACHE !== null) enableCompileCache(COMPILE_CACHE);
}
