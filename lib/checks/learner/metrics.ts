/*
 * Figures about predictions. `scores` are probabilities of a rejection, `labels` are true for a rejection. A figure that
 * is not defined, for example because all labels are equal, is null.
 */

type Scores = ArrayLike<number>;
type Labels = ArrayLike<boolean>;

export interface Interval {
  low: number;
  high: number;
}

/** Score interval of a share (Wilson 1927). `z` is 1.96 for 95 %, 1.6449 for a one-sided bound of 95 %. */
export function wilsonInterval(hits: number, n: number, z: number): Interval | null {
  if (n === 0) return null;
  const share = hits / n;
  const square = (z * z) / n;
  const centre = share + square / 2;
  const margin = z * Math.sqrt((share * (1 - share)) / n + square / (4 * n));
  return {
    low: Math.max(0, (centre - margin) / (1 + square)),
    high: Math.min(1, (centre + margin) / (1 + square)),
  };
}

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

/** Mean squared error. */
export function brierScore(scores: Scores, labels: Labels): number | null {
  let sum = 0;
  for (let i = 0; i < labels.length; i++) sum += (at(scores, i) - (labels[i] === true ? 1 : 0)) ** 2;
  return labels.length === 0 ? null : sum / labels.length;
}

/** Brier skill score: improvement over a constant prediction of the share of rejections. 1 is perfect, 0 no better. */
export function brierSkill(scores: Scores, labels: Labels): number | null {
  const score = brierScore(scores, labels);
  const base = shareRejected(labels);
  if (score === null || base === null || base === 0 || base === 1) return null;
  return 1 - score / (base * (1 - base));
}

export function shareRejected(labels: Labels): number | null {
  return labels.length === 0 ? null : Array.from(labels).filter(Boolean).length / labels.length;
}

export interface CalibrationBin {
  from: number;
  to: number;
  n: number;
  /** Null for an empty bin. */
  mean_score: number | null;
  share_rejected: number | null;
}

/** Bins of equal width over 0–1, for a reliability plot. */
export function calibrationBins(scores: Scores, labels: Labels, bins = 10): CalibrationBin[] {
  const sums = Array.from({ length: bins }, () => ({ n: 0, score: 0, rejected: 0 }));
  for (let i = 0; i < labels.length; i++) {
    const sum = sums[Math.min(bins - 1, Math.floor(at(scores, i) * bins))];
    if (sum === undefined) continue;
    sum.n++;
    sum.score += at(scores, i);
    if (labels[i] === true) sum.rejected++;
  }
  return sums.map(({ n, score, rejected }, i) => ({
    from: i / bins,
    to: (i + 1) / bins,
    n,
    mean_score: n === 0 ? null : score / n,
    share_rejected: n === 0 ? null : rejected / n,
  }));
}

/** Mean distance of predicted and observed share over ten bins, weighted with their size. */
export function expectedCalibrationError(scores: Scores, labels: Labels): number | null {
  if (labels.length === 0) return null;
  const distances = calibrationBins(scores, labels).map(
    ({ n, mean_score, share_rejected }) => n * Math.abs((mean_score ?? 0) - (share_rejected ?? 0)),
  );
  return distances.reduce((sum, distance) => sum + distance, 0) / labels.length;
}

/** `hits` of `n` and the 95 % Wilson interval of the share. */
export interface Share extends Interval {
  share: number;
  hits: number;
  n: number;
}

/** Precision is null when no score reaches the threshold, recall when nothing was rejected. */
export function precisionRecallAt(
  scores: Scores,
  labels: Labels,
  threshold: number,
): { precision: Share | null; recall: Share | null } {
  let hits = 0;
  let flagged = 0;
  let rejected = 0;
  for (let i = 0; i < labels.length; i++) {
    const over = at(scores, i) >= threshold;
    if (over) flagged++;
    if (labels[i] === true) rejected++;
    if (over && labels[i] === true) hits++;
  }
  return { precision: shareOf(hits, flagged), recall: shareOf(hits, rejected) };
}

function shareOf(hits: number, n: number): Share | null {
  const interval = wilsonInterval(hits, n, 1.96);
  return interval && { share: hits / n, hits, n, ...interval };
}

export interface LearningWindow {
  /** Examples `from` (inclusive) to `to` (exclusive), in the order of the reviews. */
  from: number;
  to: number;
  n: number;
  auc: number | null;
  brier: number | null;
  ece: number | null;
}

const WINDOWS = [0, 30, 100, 200, 500, 1000, 3000, 10_000, 30_000];

/** The figures of each part of the history. The last part ends with the last example. */
export function learningCurve(scores: Scores, labels: Labels): LearningWindow[] {
  const allScores = Array.from(scores);
  const allLabels = Array.from(labels);
  return WINDOWS.filter((from) => from < allLabels.length).map((from) => {
    const end = WINDOWS.find((next) => next > from) ?? Infinity;
    const to = Math.min(end, allLabels.length);
    const part = [allScores.slice(from, to), allLabels.slice(from, to)] as const;
    return {
      from,
      to,
      n: to - from,
      auc: rocAuc(...part),
      brier: brierScore(...part),
      ece: expectedCalibrationError(...part),
    };
  });
}

function at(scores: Scores, i: number): number {
  return scores[i] ?? 0;
}
