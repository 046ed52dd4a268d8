import type { Wait } from "./answers-schema.ts";

/** Waits by bucket. */
export type Histogram = ReadonlyMap<number, number>;

const LAST_BUCKET = 120;

/** The formula of the SQL function wait_bucket(). */
export function bucketOf(seconds: number): number {
  return seconds < 1 ? 0 : Math.min(LAST_BUCKET, Math.floor((4 * Math.log(seconds)) / Math.log(2)) + 1);
}

/** Seconds. */
export function boundsOf(bucket: number): [from: number, to: number] {
  return bucket === 0 ? [0, 1] : [2 ** ((bucket - 1) / 4), 2 ** (bucket / 4)];
}

/**
 * Nearest rank, interpolated on a logarithmic scale; the error is less than one bucket, 19 %.
 *
 * @param share 0–1
 * @returns seconds with three significant digits; null without waits
 */
export function percentile(waits: Histogram, share: number): number | null {
  const buckets = [...waits].filter(([, n]) => n > 0).sort(([a], [b]) => a - b);
  const total = buckets.reduce((sum, [, n]) => sum + n, 0);
  if (total === 0) return null;
  const rank = Math.max(1, Math.ceil(share * total));
  let below = 0;
  for (const [bucket, n] of buckets) {
    if (below + n >= rank) {
      const [from, to] = boundsOf(bucket);
      const place = (rank - below - 0.5) / n;
      return Number((bucket === 0 ? place : from * (to / from) ** place).toPrecision(3));
    }
    below += n;
  }
  return null;
}

export function waitOf(rows: readonly { bucket: number; n: number }[]): Wait {
  const waits = new Map(rows.map((row) => [row.bucket, row.n]));
  return {
    count: [...waits.values()].reduce((sum, n) => sum + n, 0),
    p50: percentile(waits, 0.5),
    p90: percentile(waits, 0.9),
    p99: percentile(waits, 0.99),
  };
}
