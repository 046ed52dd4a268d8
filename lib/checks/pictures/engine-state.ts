import { createRequire } from "node:module";
import path from "node:path";
import { z } from "zod";
import { env } from "#lib/base/env.ts";
import { log } from "#lib/base/log.ts";
import { setting } from "#lib/base/setting.ts";

/** The last failure of the classifier; null when it works again. */
const pictureEngine = setting(
  "picture_engine",
  z.object({ last_error: z.string().nullable().default(null) }),
);

const PACKAGES = [
  "@tensorflow/tfjs-core",
  "@tensorflow/tfjs-converter",
  "@tensorflow/tfjs-backend-wasm",
  "nsfwjs",
];

/** Why pictures are not classified, for the screens; null when they are. Can be asked in every process. */
export async function engineState(): Promise<string | null> {
  return engineProblem() ?? (await pictureEngine.read()).last_error;
}

/** Why pictures cannot be classified at all. Nothing is loaded. */
export function engineProblem(): string | null {
  const { AI_VISION, VERCEL } = env();
  if (AI_VISION === "off") return "AI_VISION is off, or this machine has less than 1.8 GB of memory.";
  // A function has only the files that it uses.
  const missing = VERCEL === undefined ? missingPackage() : null;
  return missing && `The package ${missing} is not installed. Install the optional packages with "npm ci".`;
}

/** @returns null if all are installed */
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

/** The problem that this process stored last; undefined: none yet. */
let noted: string | null | undefined;

/**
 * Stores the state for the screens. Never throws.
 *
 * @param failure null if the engine works
 */
export async function noteEngine(failure: string | null): Promise<void> {
  if (failure === noted) return;
  try {
    await pictureEngine.set({ last_error: failure });
    noted = failure;
  } catch (error) {
    log.warn({ err: error }, "state of the picture engine not stored");
  }
}
