import type { Opinion, PictureModel } from "./model-names.ts";
import { runModel } from "./models.ts";

/* Messages to and from the engine process, one job at a time. */

export interface EngineJob {
  model: PictureModel;
  pixels: Uint8Array;
}

export type EngineAnswer = { ok: true; opinion: Opinion } | { ok: false; problem: string };

/** Never throws. */
export async function runEngineJob({ model, pixels }: EngineJob): Promise<EngineAnswer> {
  try {
    return { ok: true, opinion: await runModel(model, pixels) };
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : String(error) };
  }
}
