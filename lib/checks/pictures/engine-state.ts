import { createRequire } from "node:module";
import path from "node:path";
import { z } from "zod";
import { env } from "#lib/base/env.ts";
import { log } from "#lib/base/log.ts";
import { setting } from "#lib/base/setting.ts";

export interface EngineState {
  state: "off" | "packages missing" | "ready" | "failed";
  /** A sentence for administrators; null when ready. */
  reason: string | null;
}

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

/** Can be asked in every process: nothing is loaded. `ready` includes models that nothing has used yet. */
export async function engineState(): Promise<EngineState> {
  const unused = engineUse();
  if (unused.state !== "ready") return unused;
  const { last_error } = await pictureEngine.read();
  return last_error === null ? unused : { state: "failed", reason: last_error };
}

/** `ready`: pictures can be classified, unless that fails. */
export function engineUse(): Pick<EngineState, "reason"> & {
  state: Exclude<EngineState["state"], "failed">;
} {
  const { AI_VISION, VERCEL } = env();
  if (AI_VISION === "off") {
    return { state: "off", reason: "AI_VISION is off, or this machine has less than 1.8 GB of memory." };
  }
  // A function has only the files that it uses.
  const missing = VERCEL === undefined ? missingPackage() : null;
  if (missing === null) return { state: "ready", reason: null };
  return {
    state: "packages missing",
    reason: `The package ${missing} is not installed. Install the optional packages with "npm ci".`,
  };
}

/** @returns null if all are installed */
export function missingPackage(): string | null {
  const { resolve } = createRequire(path.join(/*turbopackIgnore: true*/ process.cwd(), "package.json"));
  const isMissing = (name: string) => {
    try {
      resolve(name);
      return false;
    } catch {
      return true;
    }
  };
  return PACKAGES.find(isMissing) ?? null;
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
