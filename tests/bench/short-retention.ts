import { applyPlatt, chooseThreshold, fitPlatt } from "#lib/checks/learner/calibrate.ts";
import type { EmptiedCounts } from "#lib/checks/learner/emptied-examples.ts";
import {
  NO_REVIEWS,
  predict,
  type Example,
  type ModelState,
  type ReviewCount,
} from "#lib/checks/learner/model.ts";
import { trainFromHistory } from "#lib/checks/learner/train.ts";
import { expectedCalibrationError, rocAuc } from "#tests/setup/prediction-figures.ts";

/** Days from the review to the deletion of the post. */
export interface Retention {
  approved: number;
  rejected: number;
}

const REVIEWS_PER_DAY = 30;
/** As in lib/checks/training/train-learner.ts. */
const MIN_POSTS = 3;
const WINDOW = 2_000;

/**
 * One training a day; when its post is deleted, an example leaves counts of its frequent features. Figures of the
 * predictions of each next day.
 *
 * @param from number of the first review that counts
 */
export async function reviewWithRetention(ordered: readonly Example[], keep: Retention, from: number) {
  const [scores, labels]: [number[], boolean[]] = [[], []];
  const first = new Map<number, number>();
  const counts = new Counts();
  const emptied = new Set<number>();
  let [votes, hits] = [0, 0];
  for (let now = REVIEWS_PER_DAY; now < ordered.length; now += REVIEWS_PER_DAY) {
    const whole: number[] = [];
    for (const [i, example] of ordered.slice(0, now).entries()) {
      const days = (now - i) / REVIEWS_PER_DAY;
      if (days <= (example.rejected ? keep.rejected : keep.approved)) whole.push(i);
      else if (!emptied.has(i)) {
        emptied.add(i);
        counts.add(example);
      }
    }
    const examples = whole.flatMap((i) => ordered[i] ?? []);
    const { state, predictions } = await trainFromHistory(examples, {
      seed: 1,
      emptied: counts,
    });
    for (const [place, i] of whole.entries()) if (!first.has(i)) first.set(i, predictions[place] ?? 0);
    counts.countFrom(state);
    const pairs = [...first].sort(([a], [b]) => a - b);
    const firsts = pairs.map(([, prediction]) => prediction);
    const decided = pairs.map(([i]) => ordered[i]?.rejected === true);
    const calibration = fitPlatt(firsts, decided);
    const calibrated = firsts.map((prediction) => applyPlatt(calibration, prediction));
    const threshold = chooseThreshold(calibrated.slice(-WINDOW), decided.slice(-WINDOW)) ?? Infinity;
    for (const example of ordered.slice(Math.max(from, now), now + REVIEWS_PER_DAY)) {
      const score = applyPlatt(calibration, predict(state, example));
      scores.push(score);
      labels.push(example.rejected);
      if (score >= threshold) votes++;
      if (score >= threshold && example.rejected) hits++;
    }
  }
  return {
    auc: rocAuc(scores, labels) ?? NaN,
    ece: expectedCalibrationError(scores, labels) ?? NaN,
    precision: hits / votes,
    recall: hits / labels.filter(Boolean).length,
  };
}

class Counts implements EmptiedCounts {
  posts: ReviewCount = NO_REVIEWS;
  features = new Map<number, ReviewCount>();

  add(example: Example): void {
    this.posts = plus(this.posts, example);
    for (const feature of example.features) {
      const count = this.features.get(feature);
      if (count !== undefined) this.features.set(feature, plus(count, example));
    }
  }

  /** Features of enough stored posts are counted from now on; others without a count are not. */
  countFrom({ features, reviewed }: ModelState): void {
    const known = new Map(this.features);
    for (const [feature, count] of known) if (count.reviewed === 0) this.features.delete(feature);
    for (const [i, feature] of features.entries()) {
      const count = known.get(feature) ?? NO_REVIEWS;
      if ((reviewed[i] ?? 0) - count.reviewed >= MIN_POSTS) this.features.set(feature, count);
    }
  }
}

function plus({ reviewed, rejected }: ReviewCount, example: Example): ReviewCount {
  return { reviewed: reviewed + 1, rejected: rejected + (example.rejected ? 1 : 0) };
}
