import { ALL, predict, type ReviewCount } from "#lib/checks/learner/counts.ts";
import { blankText } from "#tests/setup/feature-input.ts";

export interface Example {
  names: string[];
  ids: number[];
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

type Counts = Map<number | string, ReviewCount>;

function count(counts: Counts, id: number, { rejected }: Example, sign: 1 | -1): void {
  const before = counts.get(id) ?? { reviewed: 0, rejected: 0 };
  const n = { reviewed: before.reviewed + sign, rejected: before.rejected + sign * Number(rejected) };
  counts.set(id, n);
}

export function countsOf(examples: readonly Example[]): Counts {
  const counts: Counts = new Map();
  for (const example of examples) for (const id of [ALL, ...example.ids]) count(counts, id, example, 1);
  return counts;
}

/**
 * Scores each example, then learns it. With a retention, posts are deleted after a time and leave counts of their frequent
 * features.
 *
 * @returns area under the ROC curve of the scores after the first ones
 */
export function reviewInOrder(ordered: readonly Example[], from: number, keep?: Retention): number {
  const counts: Counts = new Map();
  const scores: { score: number; rejected: boolean }[] = [];
  const emptied = new Set<number>();
  for (const [now, example] of ordered.entries()) {
    if (keep !== undefined && now % REVIEWS_PER_DAY === 0) {
      for (const [i, old] of ordered.slice(0, now).entries()) {
        const days = (now - i) / REVIEWS_PER_DAY;
        if (emptied.has(i) || days <= (old.rejected ? keep.rejected : keep.approved)) continue;
        emptied.add(i);
        for (const id of old.ids) if ((counts.get(id)?.reviewed ?? 0) < MIN_POSTS) count(counts, id, old, -1);
      }
    }
    const score = predict(example.names, example.ids, blankText, counts)?.score ?? 0.5;
    if (now >= from) scores.push({ score, rejected: example.rejected });
    for (const id of [ALL, ...example.ids]) count(counts, id, example, 1);
  }
  return rocAuc(scores);
}

/** Probability that a rejected post has a higher score than an approved one; ties count half. */
function rocAuc(scores: readonly { score: number; rejected: boolean }[]): number {
  const sorted = scores.toSorted((a, b) => a.score - b.score);
  let [wins, below, rejected] = [0, 0, 0];
  for (let i = 0; i < sorted.length;) {
    const same = sorted.slice(i).filter(({ score }) => score === sorted[i]?.score);
    const hits = same.filter((each) => each.rejected).length;
    wins += hits * (below + (same.length - hits) / 2);
    below += same.length - hits;
    rejected += hits;
    i += same.length;
  }
  return wins / (rejected * below);
}
