import { db } from "#lib/base/db.ts";
import { mapInSlices } from "#lib/base/event-loop.ts";
import { log } from "#lib/base/log.ts";
import { applyPlatt, chooseThreshold, fitPlatt, MIN_OF_EACH } from "#lib/checks/learner/calibrate.ts";
import { encodeState, hashState, type Example } from "#lib/checks/learner/model.ts";
import { trainFromHistory } from "#lib/checks/learner/train.ts";
import { roundScore } from "#lib/checks/results/opinion.ts";
import { countFeaturesOf, emptiedCounts } from "./emptied-sql.ts";
import {
  MAX_EXAMPLES,
  pruneExamples,
  storePredictions,
  trainingRows,
  trainingState,
  type ExampleRow,
} from "./examples-sql.ts";

/** Fixed, so that a history always gives the same model. */
const SEED = 1;
const NEW_REVIEWS = 10;
const PAUSE_SECONDS = 600;
const DAY_SECONDS = 86_400;
/** Predictions that the threshold is chosen from. */
const WINDOW = 2_000;
const KEPT_MODELS = 5;
/** A feature that fewer authors use is not counted when a post is deleted: it could tell something about that post. */
const MIN_AUTHORS = 3;

/**
 * After ten new reviews or ten minutes, whichever is later; ten minutes after features were removed, with their post or by an
 * undo, so that the model forgets them; and daily.
 */
export async function isTrainingDue(): Promise<boolean> {
  const { reviews, age, removed } = await trainingState(NEW_REVIEWS);
  if (age === null) return reviews >= NEW_REVIEWS;
  return age >= DAY_SECONDS || (age >= PAUSE_SECONDS && (reviews >= NEW_REVIEWS || removed));
}

/**
 * Trains a model from the newest 20 000 examples, and from the counts of emptied ones, and stores it. Two processes that
 * train at the same time store one of two equal models.
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
  const emptied = await emptiedCounts();
  const rows = (await trainingRows()).slice(-MAX_EXAMPLES);
  const rejections = rows.filter((row) => row.rejected).length;
  const approvals = rows.length - rejections;
  if (last === null && Math.min(approvals, rejections) === 0) return null;
  const whole = rows.filter((row) => row.features.length > 0);
  const { state, predictions } = await trainFromHistory(whole.map(exampleOf), {
    seed: SEED,
    emptied,
    ...(signal && { signal }),
  });
  await countFeaturesOf(emptied, await commonFeatures(whole));
  const made = new Map(whole.map((row, i) => [row.id, predictions[i] ?? 0]));
  await storePredictions(
    whole.flatMap((row) =>
      row.prediction === null ? { id: row.id, prediction: made.get(row.id) ?? 0 } : [],
    ),
  );
  const ready = Math.min(approvals, rejections) >= MIN_OF_EACH;
  const state_hash = hashState(state);
  const metrics = { ready, approvals, rejections, with_features: whole.length, state_hash };
  const trained_through = rows.at(-1)?.reviewed_at ?? null;
  if (last !== null && isSame(last.metrics, metrics)) {
    await db.check_model.update({
      where: { version: last.version },
      data: { created_at: new Date(), trained_through, metrics },
      select: { version: true },
    });
    return null;
  }
  const version = (last?.version ?? 0) + 1;
  await db.check_model.createMany({
    data: {
      version,
      trained_through,
      examples: rows.length,
      state: Uint8Array.from(encodeState(state)),
      ...calibrationOf(rows, made, ready),
      metrics,
    },
    skipDuplicates: true,
  });
  await db.check_model.deleteMany({ where: { version: { lte: version - KEPT_MODELS } } });
  // The difference between two states would show the features of an example.
  await db.check_model.updateMany({ where: { version: { lt: version } }, data: { state: new Uint8Array() } });
  log.info({ version, examples: rows.length, approvals, rejections }, "learner trained");
  return version;
}

/**
 * From the first prediction of each example, which stays when the example is emptied: without emptied ones, decisions whose
 * posts are deleted sooner would be missing.
 */
function calibrationOf(rows: readonly ExampleRow[], made: ReadonlyMap<bigint, number>, ready: boolean) {
  const pairs = rows.flatMap(({ id, rejected, prediction }) => {
    const first = prediction ?? made.get(id);
    return first === undefined ? [] : [{ first, rejected }];
  });
  const labels = pairs.map((pair) => pair.rejected);
  const predictions = pairs.map((pair) => pair.first);
  const calibration = fitPlatt(predictions, labels);
  const calibrated = predictions.map((prediction) => roundScore(applyPlatt(calibration, prediction)));
  const threshold = ready ? chooseThreshold(calibrated.slice(-WINDOW), labels.slice(-WINDOW)) : null;
  return { calibration: { ...calibration }, threshold };
}

function exampleOf(row: ExampleRow): Example {
  return {
    features: Int32Array.from(row.features),
    past: {
      author: { reviewed: row.author_reviewed, rejected: row.author_rejected },
      instance: { reviewed: row.instance_reviewed, rejected: row.instance_rejected },
    },
    rejected: row.rejected,
  };
}

/** Features in stored posts of at least `MIN_AUTHORS` authors. */
async function commonFeatures(rows: readonly ExampleRow[]): Promise<Set<number>> {
  const authorsOf = new Map<number, Set<number>>();
  await mapInSlices(rows, ({ features, author }) => {
    for (const feature of features) {
      const authors = authorsOf.get(feature);
      if (authors === undefined) authorsOf.set(feature, new Set([author]));
      else if (authors.size < MIN_AUTHORS) authors.add(author);
    }
  });
  return new Set([...authorsOf].flatMap(([feature, { size }]) => (size < MIN_AUTHORS ? [] : feature)));
}

function isSame(metrics: unknown, { state_hash }: { state_hash: string }): boolean {
  return (
    typeof metrics === "object" &&
    metrics !== null &&
    "state_hash" in metrics &&
    metrics.state_hash === state_hash
  );
}
