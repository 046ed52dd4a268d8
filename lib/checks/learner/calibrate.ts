/** `sigmoid(a × x + b)`, where x is a score of `scoreOf`. */
export interface Calibration {
  a: number;
  b: number;
}

/** Approvals and rejections that the learner needs before it votes. */
export const MIN_OF_EACH = 30;
/** Newest pairs of score and decision that a calibration is fitted to. */
const WINDOW = 500;
/** Precision that the threshold promises, at its one-sided 95 % lower bound. */
const MIN_PRECISION = 0.85;
const Z_ONE_SIDED_95 = 1.6449;
/** Weight of the assumption that scores need no correction, in pairs. */
const PRIOR = 1;

/**
 * Platt scaling by Newton's method (Lin, Lin and Weng 2007, "A note on Platt's probabilistic outputs"). `a` is not
 * negative: the order of posts stays that of the scores.
 */
export function fitPlatt(allScores: ArrayLike<number>, allLabels: ArrayLike<boolean>): Calibration {
  const scores = Array.from(allScores).slice(-WINDOW);
  const labels = Array.from(allLabels).slice(-WINDOW);
  const rejected = labels.filter(Boolean).length;
  // Targets short of 0 and 1, so that pairs without an error do not give an infinite slope.
  const [yes, no] = [(rejected + 1) / (rejected + 2), 1 / (labels.length - rejected + 2)];
  let [a, b] = [1, 0];
  for (let round = 0; round < 50; round++) {
    let [toA, toB, aa, ab, bb] = [PRIOR * (a - 1), PRIOR * b, PRIOR, 0, PRIOR];
    for (const [i, x] of scores.entries()) {
      const p = applyPlatt({ a, b }, x);
      const error = p - (labels[i] === true ? yes : no);
      const curvature = p * (1 - p);
      toA += error * x;
      toB += error;
      aa += curvature * x * x;
      ab += curvature * x;
      bb += curvature;
    }
    const determinant = aa * bb - ab * ab;
    // Short steps: a full one may go too far where the curve is flat.
    const step = (by: number) => Math.max(-0.5, Math.min(0.5, by / determinant));
    const [stepA, stepB] = [step(bb * toA - ab * toB), step(aa * toB - ab * toA)];
    a = Math.max(0, a - stepA);
    b -= stepB;
    if (Math.abs(stepA) + Math.abs(stepB) < 1e-6) break;
  }
  return { a, b };
}

/** Probability of a rejection. */
export function applyPlatt({ a, b }: Calibration, score: number): number {
  return 1 / (1 + Math.exp(-(a * score + b)));
}

/**
 * The lowest probability from which rejections may be advised: the lower bound of the share of rejections among the posts
 * that reach it is 0.85 or more, which takes 16 rejections at least. It is never below 0.5.
 *
 * @returns null when there is none, or fewer than `MIN_OF_EACH` approvals or rejections
 */
export function chooseThreshold(calibrated: ArrayLike<number>, labels: ArrayLike<boolean>): number | null {
  const pairs = Array.from(labels, (rejected, i) => ({ score: calibrated[i] ?? 0, rejected }));
  const rejections = pairs.filter((pair) => pair.rejected).length;
  if (Math.min(rejections, pairs.length - rejections) < MIN_OF_EACH) return null;
  pairs.sort((a, b) => b.score - a.score);
  let lowest: number | null = null;
  let hits = 0;
  for (const [i, { score, rejected }] of pairs.entries()) {
    if (score < 0.5) break;
    if (rejected) hits++;
    // Equal scores stand on the same side of a threshold.
    if (pairs[i + 1]?.score !== score && wilsonLow(hits, i + 1) >= MIN_PRECISION) lowest = score;
  }
  return lowest;
}

/** Lower bound of a share (Wilson 1927). */
function wilsonLow(hits: number, n: number): number {
  const share = hits / n;
  const square = Z_ONE_SIDED_95 ** 2 / n;
  const margin = Z_ONE_SIDED_95 * Math.sqrt((share * (1 - share)) / n + square / (4 * n));
  return (share + square / 2 - margin) / (1 + square);
}
