import { createRequire } from "node:module";
import { describe } from "vitest";
import { missingPackage } from "#lib/checks/pictures/engine-state.ts";

/** Tests that run the picture classifiers. Without the optional packages they are skipped, and the name says so. */
export function describeWithModels(name: string, tests: () => void): void {
  const missing = missingPackage();
  const reason = missing === null ? "" : ` (skipped: the optional package ${missing} is not installed)`;
  // Loading models takes seconds on a busy machine.
  describe.skipIf(missing !== null)(name + reason, { timeout: 60_000 }, tests);
}

/** Modules of the classifiers that this process has loaded. */
export function loadedClassifiers(): string[] {
  const files = Object.keys(createRequire(import.meta.url).cache);
  return files.filter((file) => /node_modules\/(@tensorflow|nsfwjs)\//.test(file));
}
