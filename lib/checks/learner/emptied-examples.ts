import type { ReviewCount } from "./model.ts";

/** Counts of the examples whose features were removed. */
export interface EmptiedCounts {
  posts: ReviewCount;
  /** Examples with each feature. */
  features: ReadonlyMap<number, ReviewCount>;
}

interface DrawnExample {
  places: readonly number[];
  rejected: boolean;
  author: number;
  instance: number;
}

/**
 * Made-up examples that have decisions and features as often as the counts say. Features of one decision are drawn
 * independently of each other.
 *
 * @param placeOf called once for each feature, in ascending order; below 0: the feature is left out
 */
export function emptiedExamples(
  { posts, features }: EmptiedCounts,
  random: () => number,
  placeOf: (feature: number) => number,
): { posts: number; draw: () => DrawnExample } {
  const counted = [...features]
    .sort(([a], [b]) => a - b)
    .map(([feature, count]) => ({ place: placeOf(feature), ...count }))
    .filter(({ place }) => place >= 0);
  const drawRejected = drawPlaces(
    counted.map(({ place, rejected }) => [place, rejected]),
    posts.rejected,
    random,
  );
  const drawApproved = drawPlaces(
    counted.map(({ place, reviewed, rejected }) => [place, reviewed - rejected]),
    posts.reviewed - posts.rejected,
    random,
  );
  return {
    posts: posts.reviewed,
    draw: () => {
      const rejected = random() * posts.reviewed < posts.rejected;
      return { places: (rejected ? drawRejected : drawApproved)(), rejected, ...NOTHING_ELSE };
    },
  };
}

const NOTHING_ELSE = { author: 0, instance: 0 } as const;

/** Draws as many places as a post has on average, each in proportion to its count. */
function drawPlaces(
  counts: readonly (readonly [place: number, n: number])[],
  posts: number,
  random: () => number,
): () => number[] {
  const some = counts.filter(([, n]) => n > 0);
  const sums = new Float64Array(some.length);
  let total = 0;
  for (const [i, [, n]] of some.entries()) sums[i] = total += n;
  const length = posts === 0 ? 0 : Math.round(total / posts);
  return () => {
    const drawn = new Set<number>();
    for (let i = 0; i < length; i++) drawn.add(some[firstAbove(sums, random() * total)]?.[0] ?? 0);
    return [...drawn];
  };
}

/** Place of the first sum above a value, which is below the last one. */
function firstAbove(sums: Float64Array, value: number): number {
  let low = 0;
  let high = sums.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sums[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
