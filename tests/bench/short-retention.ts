import { applyPlatt, chooseThreshold, fitPlatt } from "#lib/checks/learner/calibrate.ts";
import { ALL, count, scoreOf, type Counts, type Numbered } from "#lib/checks/learner/counts.ts";
import { expectedCalibrationError, rocAuc } from "#tests/setup/prediction-figures.ts";

export interface Example extends Numbered {
  rejected: boolean;
}

/** Days from the review to the deletion of the post. */
export interface Retention {
  approved: number;
  rejected: number;
}

const REVIEWS_PER_DAY = 30;
/** As in unlearn(): features that fewer posts had are no longer counted. */
const MIN_POSTS = 3;
const WINDOW = 2_000;

/** Posts are deleted after a time, and leave counts of their frequent features. Figures of the scores of each next day. */
export function reviewWithRetention(ordered: readonly Example[], keep: Retention, from: number) {
  const counts: Counts = new Map();
  const [firsts, decided]: [number[], boolean[]] = [[], []];
  const [scores, labels]: [number[], boolean[]] = [[], []];
  const emptied = new Set<number>();
  let [votes, hits] = [0, 0];
  for (let now = 0; now < ordered.length; now += REVIEWS_PER_DAY) {
    for (const [i, example] of ordered.slice(0, now).entries()) {
      const days = (now - i) / REVIEWS_PER_DAY;
      if (emptied.has(i) || days <= (example.rejected ? keep.rejected : keep.approved)) continue;
      emptied.add(i);
      for (const feature of example.features) {
        const { reviewed = 0, rejected = 0 } = counts.get(feature) ?? {};
        if (reviewed >= MIN_POSTS) continue;
        counts.set(feature, { reviewed: reviewed - 1, rejected: rejected - Number(example.rejected) });
      }
    }
    const calibration = fitPlatt(firsts, decided);
    const calibrated = firsts.map((score) => applyPlatt(calibration, score));
    const threshold = chooseThreshold(calibrated.slice(-WINDOW), decided.slice(-WINDOW)) ?? Infinity;
    for (const [i, example] of ordered.slice(now, now + REVIEWS_PER_DAY).entries()) {
      const first = scoreOf(example, counts) ?? 0;
      count(counts, [ALL, ...example.features], example.rejected);
      firsts.push(first);
      decided.push(example.rejected);
      if (now + i < from) continue;
      const score = applyPlatt(calibration, first);
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
