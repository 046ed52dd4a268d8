import { fileURLToPath } from "node:url";

/** Node's compile cache halves the CPU time for loading the worker's modules. */
export const COMPILE_CACHE = fileURLToPath(
  new URL("../../node_modules/.sluice/compile-cache", import.meta.url),
);
