import { z } from "zod";
import { db } from "#lib/db.ts";
import { applyPlatt, type Calibration } from "#lib/learner/calibrate.ts";
import { explain } from "#lib/learner/explain.ts";
import { slotOf } from "#lib/learner/features.ts";
import { decodeState, predict, type ModelState } from "#lib/learner/model.ts";
import { decodeCounts, type FeatureCounts } from "./feature-counts.ts";
import type { LearnerReason } from "./raw-checks.ts";
import type { Prediction } from "./sql.ts";
import { roundScore } from "./verdict.ts";

export interface LearnerModel {
  version: number;
  created_at: Date;
  state: ModelState;
  calibration: Calibration;
  counts: FeatureCounts;
}

const StoredCalibration = z.object({ a: z.number(), b: z.number(), saturation: z.number().default(2.5) });
/** Features that are kept as reasons of a prediction. */
const MOST_REASONS = 6;

const holder = globalThis as { sluiceModel?: LearnerModel };

/** The newest model, decoded once in a process; null before the first training. */
export async function readModel(): Promise<LearnerModel | null> {
  const newest = await db.check_model.findFirst({
    orderBy: { version: "desc" },
    select: { version: true, created_at: true },
  });
  if (newest === null) return null;
  const { version, created_at } = newest;
  const known = holder.sluiceModel;
  // After a restore another model may have the version.
  if (known?.version === version && known.created_at.getTime() === created_at.getTime()) return known;
  const stored = await db.check_model.findUnique({ where: { version } });
  if (stored === null) return null;
  const model = {
    version,
    created_at: stored.created_at,
    state: decodeState(stored.state),
    calibration: StoredCalibration.parse(stored.calibration),
    counts: decodeCounts(stored.counts),
  };
  holder.sluiceModel = model;
  return model;
}

/** @param names features of the post, from which the reasons are chosen */
export function predictPost(
  model: LearnerModel,
  slots: Uint32Array,
  vector: Uint8Array | null,
  names: readonly string[],
): Prediction {
  return {
    learner_version: model.version,
    learner_score: probabilityOf(model, slots, vector),
    learner_reasons: reasonsOf(model, names),
  };
}

/** Calibrated probability of a rejection. */
export function probabilityOf(model: LearnerModel, slots: Uint32Array, vector: Uint8Array | null): number {
  const traits = { slots, vector: vector && vectorOf(vector) };
  return roundScore(applyPlatt(model.calibration, predict(model.state, traits)));
}

/** Stored as bytes. */
export function vectorOf(bytes: Uint8Array): Int8Array {
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

export function reasonsOf({ state, counts }: LearnerModel, names: readonly string[]): LearnerReason[] {
  return explain(state, names, MOST_REASONS).map(({ feature, weight }) => ({
    feature,
    weight: roundScore(weight),
    ...counts.get(slotOf(feature)),
  }));
}
