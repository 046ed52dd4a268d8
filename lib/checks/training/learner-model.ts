import { z } from "zod";
import { db } from "#lib/base/db.ts";
import { applyPlatt, type Calibration } from "#lib/checks/learner/calibrate.ts";
import { explain, type Explained } from "#lib/checks/learner/explain.ts";
import { featureKey, type FeatureKey } from "#lib/checks/learner/features.ts";
import {
  decodeState,
  NO_REVIEWS,
  predict,
  type ModelState,
  type PastReviews,
} from "#lib/checks/learner/model.ts";
import { roundScore } from "#lib/checks/results/opinion.ts";
import type { LearnerReason } from "#lib/checks/results/raw-checks.ts";
import { pastReviewRows } from "./examples-sql.ts";
import type { Prediction } from "./sql.ts";

export interface LearnerModel {
  version: number;
  created_at: Date;
  key: FeatureKey;
  state: ModelState;
  calibration: Calibration;
}

const StoredCalibration = z.object({ a: z.number(), b: z.number(), saturation: z.number() });
/** Features that are kept as reasons of a prediction. */
const MAX_REASONS = 6;

const holder = globalThis as { sluiceModel?: LearnerModel };

/** Secret of the installation. Not kept in the process: after a restore it may be another one. */
export async function readFeatureKey(): Promise<FeatureKey> {
  const { feature_secret } = await db.installation.findFirstOrThrow({ select: { feature_secret: true } });
  return featureKey(feature_secret);
}

const newestFirst = { orderBy: { version: "desc" } } as const;

/** The newest model, decoded once in a process; null before the first training. */
export async function readModel(): Promise<LearnerModel | null> {
  const newest = await db.check_model.findFirst({
    ...newestFirst,
    select: { version: true, created_at: true },
  });
  if (newest === null) return null;
  const known = holder.sluiceModel;
  // After a restore another model may have the version.
  if (known?.version === newest.version && known.created_at.getTime() === newest.created_at.getTime()) {
    return known;
  }
  // Again the newest: a training removes the states of older ones.
  const stored = await db.check_model.findFirst(newestFirst);
  if (stored === null) return null;
  const model = {
    version: stored.version,
    created_at: stored.created_at,
    key: await readFeatureKey(),
    state: decodeState(stored.state),
    calibration: StoredCalibration.parse(stored.calibration),
  };
  holder.sluiceModel = model;
  return model;
}

interface PostAuthor {
  id: number;
  author_key: string;
  instance: string;
}

/** Earlier reviews of the authors and instances of posts, by id. */
export async function readPastReviews(posts: readonly PostAuthor[]): Promise<Map<number, PastReviews>> {
  const { authors, instances } = await pastReviewRows(
    posts.map((post) => post.author_key),
    posts.map((post) => post.instance),
  );
  return new Map(
    posts.map(({ id, author_key, instance }) => [
      id,
      { author: authors.get(author_key) ?? NO_REVIEWS, instance: instances.get(instance) ?? NO_REVIEWS },
    ]),
  );
}

interface PredictedPost extends Explained {
  ids: Int32Array;
}

export function predictPost(model: LearnerModel, post: PredictedPost): Prediction {
  return {
    learner_version: model.version,
    learner_score: probabilityOf(model, post),
    learner_reasons: reasonsOf(model, post),
  };
}

/** Calibrated probability of a rejection. */
export function probabilityOf(
  model: LearnerModel,
  { ids, past }: Pick<PredictedPost, "ids" | "past">,
): number {
  return roundScore(applyPlatt(model.calibration, predict(model.state, { features: ids, past })));
}

export function reasonsOf({ state, key }: LearnerModel, post: Explained): LearnerReason[] {
  return explain(state, key, post, MAX_REASONS).map(({ feature, weight, count }) => ({
    feature,
    weight: roundScore(weight),
    ...count,
  }));
}
