import type { Scores } from "./model-names.ts";
import { runModel } from "./models.ts";

/* Messages to and from the engine process, one job at a time. */

export interface EngineJob {
  pixels: Uint8Array;
}

export type EngineAnswer = { ok: true; scores: Scores } | { ok: false; problem: string };

/** Never throws. */
export async function runEngineJob({ pixels }: EngineJob): Promise<EngineAnswer> {
  try {
    return { ok: true, scores: await runModel(pixels) };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}
