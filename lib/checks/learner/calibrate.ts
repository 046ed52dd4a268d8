import { sigmoid } from "./model.ts";
import { wilsonInterval } from "./wilson.ts";

/** `sigmoid(a × x + b)`, where x is the logit of a prediction, bent towards ±`saturation`. */
export interface Calibration {
  a: number;
  b: number;
  saturation: number;
}

/**
 * Reviewers are inconsistent, so a prediction of nearly 1 may be no more certain than one of 0.9; how far, the pairs decide.
 * With one label in five wrong this halves the error of calibration.
 */
const SATURATIONS = [4, 2, 1, 0.6];
const UNCHANGED: Calibration = { a: 1, b: 0, saturation: 4 };

/** Approvals and rejections that the learner needs before it votes. */
export const MIN_OF_EACH = 30;

/** Pairs of prediction and label that a calibration is fitted to. */
const WINDOW = 500;
/** Precision that the threshold promises, at its one-sided 95 % lower bound. */
const MIN_PRECISION = 0.85;
const Z_ONE_SIDED_95 = 1.6449;

/**
 * Platt scaling of the last 500 pairs, with the saturation that fits them best (Lin, Lin and Weng 2007, "A note on Platt's probabilistic outputs"). `a` is not
 * negative: the order of posts stays that of the model.
 */
export function fitPlatt(predictions: ArrayLike<number>, labels: ArrayLike<boolean>): Calibration {
  const logits = Float64Array.from(predictions, logitOf);
  return fitBefore(labels.length, logits, labels, UNCHANGED);
}

export function applyPlatt(calibration: Calibration, prediction: number): number {
  return applyTo(logitOf(prediction), calibration);
}

function applyTo(logit: number, { a, b, saturation }: Calibration): number {
  return sigmoid(a * bend(logit, saturation) + b);
}

/**
 * The lowest calibrated probability from which rejections may be advised: the lower bound of the share of rejections among
 * the posts that reach it (one-sided 95 %, Wilson) is 0.85 or more, which takes 16 rejections at least. It is never below
 * 0.5, whatever the share of rejections.
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
    if (pairs[i + 1]?.score === score) continue;
    const bound = wilsonInterval(hits, i + 1, Z_ONE_SIDED_95)?.low ?? 0;
    if (bound >= MIN_PRECISION) lowest = score;
  }
  return lowest;
}

/** Fits to the pairs of the window that ends before `end`. */
function fitBefore(
  end: number,
  allLogits: Float64Array,
  labels: ArrayLike<boolean>,
  start: Calibration,
): Calibration {
  const from = Math.max(0, end - WINDOW);
  const logits = allLogits.subarray(from, end);
  let rejected = 0;
  for (let i = from; i < end; i++) if (labels[i] === true) rejected++;
  // Targets short of 0 and 1, so that pairs without an error do not give an infinite slope.
  const yes = (rejected + 1) / (rejected + 2);
  const no = 1 / (end - from - rejected + 2);
  const targets = logits.map((_, i) => (labels[from + i] === true ? yes : no));
  let best = start;
  let min = Infinity;
  for (const saturation of SATURATIONS) {
    const bent = logits.map((logit) => bend(logit, saturation));
    const found = minimise(bent, targets, { ...start, saturation });
    const loss = lossOf(found, bent, targets);
    if (loss >= min) continue;
    best = found;
    min = loss;
  }
  return best;
}

/** Weight of the prior that the predictions need no correction, in pairs. */
const PRIOR = 1;

/** Newton's method with halved steps on the log loss, which is convex. */
function minimise(logits: Float64Array, targets: Float64Array, start: Calibration): Calibration {
  let best = start;
  let loss = lossOf(best, logits, targets);
  for (let round = 0; round < 50; round++) {
    const step = newtonStep(best, logits, targets);
    let size = 1;
    let next = best;
    let nextLoss = loss;
    for (; size > 1e-6; size /= 2) {
      next = { ...best, a: Math.max(0, best.a - size * step.a), b: best.b - size * step.b };
      nextLoss = lossOf(next, logits, targets);
      if (nextLoss < loss) break;
    }
    if (nextLoss >= loss - 1e-7) break;
    best = next;
    loss = nextLoss;
  }
  return best;
}

function newtonStep(
  { a, b }: Calibration,
  logits: Float64Array,
  targets: Float64Array,
): Pick<Calibration, "a" | "b"> {
  let gradientA = PRIOR * (a - 1);
  let gradientB = PRIOR * b;
  let aa = PRIOR;
  let ab = 0;
  let bb = PRIOR;
  for (let i = 0; i < logits.length; i++) {
    const logit = logits[i] ?? 0;
    const p = sigmoid(a * logit + b);
    const error = p - (targets[i] ?? 0);
    const curvature = p * (1 - p);
    gradientA += error * logit;
    gradientB += error;
    aa += curvature * logit * logit;
    ab += curvature * logit;
    bb += curvature;
  }
  if (a === 0 && gradientA > 0) return { a: 0, b: gradientB / bb };
  const determinant = aa * bb - ab * ab;
  return {
    a: (bb * gradientA - ab * gradientB) / determinant,
    b: (aa * gradientB - ab * gradientA) / determinant,
  };
}

function lossOf({ a, b }: Calibration, logits: Float64Array, targets: Float64Array): number {
  let loss = (PRIOR / 2) * ((a - 1) ** 2 + b ** 2);
  for (let i = 0; i < logits.length; i++) {
    const x = a * (logits[i] ?? 0) + b;
    // log(1 + e^x) - target × x, without overflow.
    loss += Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x))) - (targets[i] ?? 0) * x;
  }
  return loss;
}

function logitOf(prediction: number): number {
  const p = Math.min(1 - 1e-9, Math.max(1e-9, prediction));
  return Math.log(p / (1 - p));
}

function bend(logit: number, saturation: number): number {
  return saturation * Math.tanh(logit / saturation);
}
