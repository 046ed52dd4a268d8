import { createRequire } from "node:module";
import path from "node:path";
import { env } from "#lib/base/env.ts";

const PACKAGES = [
  "@tensorflow/tfjs-core",
  "@tensorflow/tfjs-converter",
  "@tensorflow/tfjs-backend-wasm",
  "nsfwjs",
];

/** Reason why this installation cannot classify pictures; null when it can. Loads nothing. */
export function engineProblem(): string | null {
  const { AI_VISION, VERCEL } = env();
  if (AI_VISION === "off") return "AI_VISION is off, or this machine has less than 1.8 GB of memory.";
  // A Vercel function contains only the files that it uses, so the package cannot be looked up there.
  const missing = VERCEL === undefined ? missingPackage() : null;
  return missing && `The package ${missing} is not installed. Install the optional packages with "npm ci".`;
}

/** Name of an optional package that is not installed; null if all are. */
export function missingPackage(): string | null {
  const { resolve } = createRequire(path.join(/*turbopackIgnore: true*/ process.cwd(), "package.json"));
  for (const name of PACKAGES) {
    try {
      resolve(name);
    } catch {
      return name;
    }
  }
  return null;
}
