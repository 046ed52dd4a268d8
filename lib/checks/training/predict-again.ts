import { db } from "#lib/base/db.ts";
import { mapInSlices } from "#lib/base/event-loop.ts";
import { NO_REVIEWS, type PastReviews } from "#lib/checks/learner/model.ts";
import type { RawRule } from "#lib/checks/results/raw-checks.ts";
import { readText } from "#lib/checks/rules/read-text.ts";
import { readCheckSettings } from "#lib/checks/settings/check-settings.ts";
import { advanceJob, openJob, unreviewedIdsBelow } from "#lib/checks/verdict/jobs-sql.ts";
import { isTimeUp, judgeChanged, type Limits } from "#lib/checks/verdict/rejudge.ts";
import { rawRows } from "#lib/checks/verdict/sql.ts";
import { probabilityOf, readModel, readPastReviews, reasonsOf, type LearnerModel } from "./learner-model.ts";
import { featuresOf } from "./post-features.ts";
import {
  predictedRows,
  postTextRows,
  writePredictions,
  type PredictedRow,
  type PredictionRow,
} from "./sql.ts";

const BATCH = 500;
/** Smaller changes are not written: nobody sees them, and each writes a row of `post`. */
const MIN_CHANGE = 0.01;
/** Reasons are read from the text again from this probability on, elsewhere weighed again. */
const EXPLAINED_FROM = 0.5;

/** Predicts unreviewed posts with a new model, from stored features, highest id first. */
export async function predictAgain(limits: Limits): Promise<{ worked: boolean }> {
  const model = await readModel();
  if (model === null) return { worked: false };
  for (let worked = false; ; worked = true) {
    const job = await openJob("predict", String(model.version));
    if (job === null || isTimeUp(limits)) return { worked };
    const ids = await unreviewedIdsBelow(job.done_from, BATCH);
    await predictSome(model, ids);
    // The threshold is new, too.
    await judgeChanged(await rawRows(db, ids), await readCheckSettings());
    await advanceJob(job, ids.at(-1) ?? null);
  }
}

async function predictSome(model: LearnerModel, ids: readonly number[]): Promise<void> {
  const rows = await predictedRows(ids);
  const reviews = await readPastReviews(rows);
  const changed = (
    await mapInSlices(rows, (row) => {
      const past = reviews.get(row.id) ?? { author: NO_REVIEWS, instance: NO_REVIEWS };
      const score = probabilityOf(model, { ids: Int32Array.from(row.features), past });
      return { row, score, past };
    })
  ).filter(isChanged);
  const explained = await namesOf(
    changed.filter(({ score }) => score >= EXPLAINED_FROM).map(({ row }) => row),
  );
  const predictions: PredictionRow[] = changed.map(({ row, score, past }) => ({
    id: row.id,
    features: row.features,
    learner_version: model.version,
    learner_score: score,
    learner_reasons: reasonsOf(model, {
      names: explained.get(row.id) ?? row.learner_reasons.map((reason) => reason.feature),
      features: row.features.length,
      instance: row.instance,
      past,
    }),
  }));
  if (predictions.length > 0) await writePredictions(predictions);
}

interface Predicted {
  row: PredictedRow;
  score: number;
  past: PastReviews;
}

/** Also when a stored reason quotes other reviews of the author or the instance than there are now. */
function isChanged({ row, score, past }: Predicted): boolean {
  if (row.learner_score === null || Math.abs(row.learner_score - score) >= MIN_CHANGE) return true;
  if (row.learner_reasons.length === 0) return score >= EXPLAINED_FROM;
  return row.learner_reasons.some(({ feature, reviewed, rejected }) => {
    const now = feature === "author:" ? past.author : feature.startsWith("instance:") ? past.instance : null;
    return now !== null && reviewed !== undefined && (now.reviewed !== reviewed || now.rejected !== rejected);
  });
}

/** Names of the features of posts, by id. */
export async function namesOf(
  rows: readonly { id: number; rules: RawRule[] }[],
): Promise<Map<number, string[]>> {
  if (rows.length === 0) return new Map();
  const rules = new Map<number, RawRule[]>(rows.map((row) => [row.id, row.rules]));
  const texts = await postTextRows(rows.map((row) => row.id));
  return new Map(
    await mapInSlices(texts, (text) => [
      text.id,
      featuresOf(text, readText(text.content || text.plain_text), rules.get(text.id) ?? []),
    ]),
  );
}
