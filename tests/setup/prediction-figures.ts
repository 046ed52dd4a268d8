import { applyPlatt, fitPlatt } from "#lib/checks/learner/calibrate.ts";

/* Figures about predictions. `scores` are probabilities of a rejection, `labels` are true for a rejection. */

type Scores = ArrayLike<number>;
type Labels = ArrayLike<boolean>;

/** Probability that a rejected post has a higher score than an approved one; ties count half. */
export function rocAuc(scores: Scores, labels: Labels): number | null {
  const rejected = sortedScores(scores, labels, true);
  const approved = sortedScores(scores, labels, false);
  let wins = 0;
  let below = 0;
  let upTo = 0;
  for (const score of rejected) {
    while (below < approved.length && at(approved, below) < score) below++;
    while (upTo < approved.length && at(approved, upTo) <= score) upTo++;
    wins += (below + upTo) / 2;
  }
  const pairs = rejected.length * approved.length;
  return pairs === 0 ? null : wins / pairs;
}

/** An array of numbers is sorted without calling a function for each comparison. */
function sortedScores(scores: Scores, labels: Labels, rejected: boolean): Float64Array {
  const some = Array.from(scores).filter((_, i) => (labels[i] === true) === rejected);
  return Float64Array.from(some).sort();
}

/** Mean distance of predicted and observed share over ten bins of equal width, weighted with their size. */
export function expectedCalibrationError(scores: Scores, labels: Labels): number | null {
  const bins = Array.from({ length: 10 }, () => ({ score: 0, rejected: 0 }));
  for (let i = 0; i < labels.length; i++) {
    const bin = bins[Math.min(9, Math.floor(at(scores, i) * 10))];
    if (bin === undefined) continue;
    bin.score += at(scores, i);
    if (labels[i] === true) bin.rejected++;
  }
  const distance = bins.reduce((sum, { score, rejected }) => sum + Math.abs(score - rejected), 0);
  return labels.length === 0 ? null : distance / labels.length;
}

/** Calibrated probabilities, each from pairs before it only. */
export function calibrateInOrder(predictions: Float64Array, labels: readonly boolean[]): Float64Array {
  const step = 50;
  let calibration = fitPlatt([], []);
  return predictions.map((prediction, i) => {
    if (i % step === 0) calibration = fitPlatt(predictions.slice(0, i), labels.slice(0, i));
    return applyPlatt(calibration, prediction);
  });
}

function at(scores: Scores, i: number): number {
  return scores[i] ?? 0;
}
