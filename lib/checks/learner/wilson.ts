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
