/** Reviewed posts, and how many of them were rejected. */
export interface ReviewCount {
  reviewed: number;
  rejected: number;
}

/** Of each feature of some posts, by its number; `ALL` counts the posts themselves. */
export type Counts = Map<number, ReviewCount>;

export const ALL = 0;
/** Weight of the assumption that a feature says nothing, in posts. */
const PRIOR = 1;

export interface Numbered {
  /** Of the words and other features of a post. */
  features: readonly number[];
  author: number;
  instance: number;
}

export const numbersOf = ({ features, author, instance }: Numbered) => [author, instance, ...features];

/**
 * How much a feature speaks for a rejection: the log odds of rejected among posts with it, if as many posts were rejected
 * as approved (Robinson 2003, "A Statistical Approach to the Spam Problem"). 0 without reviews.
 */
export function weightOf(count: ReviewCount | undefined, all: ReviewCount): number {
  if (count === undefined || count.reviewed === 0) return 0;
  const rejected = count.rejected / all.rejected;
  const approved = (count.reviewed - count.rejected) / (all.reviewed - all.rejected);
  const share = rejected / (rejected + approved);
  const p = (PRIOR / 2 + count.reviewed * share) / (PRIOR + count.reviewed);
  return Math.log(p / (1 - p));
}

/** Log odds of a rejection, not calibrated. Long posts weigh no more than short ones. Null until both decisions occurred. */
export function scoreOf({ features, author, instance }: Numbered, counts: Counts): number | null {
  const all = counts.get(ALL);
  if (all === undefined || all.rejected === 0 || all.rejected === all.reviewed) return null;
  let sum = 0;
  for (const feature of features) sum += weightOf(counts.get(feature), all);
  const past = weightOf(counts.get(author), all) + weightOf(counts.get(instance), all);
  return sum / Math.sqrt(Math.max(1, features.length)) + past;
}

/** Counts a decision. */
export function count(counts: Counts, numbers: readonly number[], rejected: boolean): void {
  for (const number of numbers) {
    const { reviewed, rejected: before } = counts.get(number) ?? { reviewed: 0, rejected: 0 };
    counts.set(number, { reviewed: reviewed + 1, rejected: before + Number(rejected) });
  }
}
