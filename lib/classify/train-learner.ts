import { db } from "#lib/db.ts";
import { log } from "#lib/log.ts";
import {
  applyPlatt,
  calibrateInOrder,
  chooseThreshold,
  fitPlatt,
  LEAST_OF_EACH,
} from "#lib/learner/calibrate.ts";
import { decodeSlots } from "#lib/learner/features.ts";
import { brierScore } from "#lib/learner/metrics.ts";
import { encodeState, hashState, type Example, type ModelState } from "#lib/learner/model.ts";
import { trainFromHistory } from "#lib/learner/train.ts";
import { pruneExamples, trainingRows, trainingState } from "./examples-sql.ts";
import { countFeatures, encodeCounts } from "./feature-counts.ts";
import { vectorOf } from "./learner-model.ts";
import { roundScore } from "./verdict.ts";

/** Fixed, so that a history always gives the same model. */
const SEED = 1;
const NEW_REVIEWS = 10;
/** Seconds. */
const PAUSE = 600;
const NIGHT = 86_400;
/** Predictions that the threshold is chosen from. */
const WINDOW = 2_000;
/** Pictures take part from this number of examples with a vector on, if they make the predictions better. */
const LEAST_VECTORS = 100;
const KEPT_MODELS = 5;

/** After ten new reviews or ten minutes, whichever is later; daily because of undone reviews and opt-outs. */
export async function isTrainingDue(): Promise<boolean> {
  const { reviews, age } = await trainingState(NEW_REVIEWS);
  if (age === null) return reviews >= NEW_REVIEWS;
  return age >= NIGHT || (age >= PAUSE && reviews >= NEW_REVIEWS);
}

interface Trained {
  state: ModelState;
  predictions: Float64Array;
}

/**
 * Trains a model from the newest 20 000 examples and stores it. Two processes that train at the same time store one of
 * two equal models.
 *
 * @returns the version of the new model; null when the last one is still right, or when all reviews agree
 * @throws the reason of `signal` when it is aborted
 */
export async function trainLearner({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<
  number | null
> {
  await pruneExamples();
  const last = await db.check_model.findFirst({
    orderBy: { version: "desc" },
    select: { version: true, metrics: true },
  });
  const rows = await trainingRows();
  const examples = rows.map(({ slots, vector, rejected }) => ({
    slots: decodeSlots(slots),
    vector: vector && vectorOf(vector),
    rejected,
  }));
  const labels = examples.map((example) => example.rejected);
  const rejections = labels.filter(Boolean).length;
  const approvals = labels.length - rejections;
  if (last === null && Math.min(approvals, rejections) === 0) return null;
  const { state, predictions } = await trainBest(examples, signal);
  const calibration = fitPlatt(predictions, labels);
  const calibrated = predictions.map((prediction) => roundScore(applyPlatt(calibration, prediction)));
  const ready = Math.min(approvals, rejections) >= LEAST_OF_EACH;
  const metrics = { ready, approvals, rejections, state_hash: hashState(state) };
  const through = rows.at(-1)?.reviewed_at ?? null;
  if (last !== null && isSame(last.metrics, metrics)) {
    await db.check_model.update({
      where: { version: last.version },
      data: { created_at: new Date(), trained_through: through },
      select: { version: true },
    });
    return null;
  }
  const version = (last?.version ?? 0) + 1;
  await db.check_model.createMany({
    data: {
      version,
      trained_through: through,
      examples: examples.length,
      state: Uint8Array.from(encodeState(state)),
      calibration: { ...calibration },
      threshold: ready ? chooseThreshold(calibrated.slice(-WINDOW), labels.slice(-WINDOW)) : null,
      metrics,
      counts: encodeCounts(countFeatures(examples)),
    },
    skipDuplicates: true,
  });
  await db.check_model.deleteMany({ where: { version: { lte: version - KEPT_MODELS } } });
  log.info({ version, examples: examples.length, approvals, rejections }, "learner trained");
  return version;
}

async function trainBest(examples: Example[], signal: AbortSignal | undefined): Promise<Trained> {
  const options = { seed: SEED, ...(signal && { signal }) };
  const plain = await trainFromHistory(examples, { ...options, withVectors: false });
  if (examples.filter((example) => example.vector !== null).length < LEAST_VECTORS) return plain;
  const withPictures = await trainFromHistory(examples, { ...options, withVectors: true });
  return errorOf(withPictures, examples) < errorOf(plain, examples) ? withPictures : plain;
}

/** Error of the predictions that were made before their example was learnt. */
function errorOf({ predictions }: Trained, examples: readonly Example[]): number {
  const labels = examples.map((example) => example.rejected);
  const calibrated = calibrateInOrder(predictions, labels);
  return brierScore(calibrated.slice(-WINDOW), labels.slice(-WINDOW)) ?? 1;
}

function isSame(metrics: unknown, { state_hash }: { state_hash: string }): boolean {
  return (
    typeof metrics === "object" &&
    metrics !== null &&
    "state_hash" in metrics &&
    metrics.state_hash === state_hash
  );
}
