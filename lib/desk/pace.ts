/** Decisions of this long count for the pace. */
const WINDOW_MS = 10 * 60_000;
/** Fewer say nothing. */
const MIN_DECISIONS = 5;

export interface Pace {
  /** Own decisions since the desk was loaded, less undone ones. */
  decided: number;
  /** Milliseconds since 1970 of the latest ones, oldest first. */
  decidedAt: readonly number[];
}

export const noPace: Pace = { decided: 0, decidedAt: [] };

/** @param by decisions made, or below 0 undone */
export function withPace({ decided, decidedAt }: Pace, by: number, now = Date.now()): Pace {
  const recent = decidedAt.filter((at) => now - at < WINDOW_MS);
  return {
    decided: decided + by,
    decidedAt: by < 0 ? recent.slice(0, by) : [...recent, ...Array.from({ length: by }, () => now)],
  };
}

/** Decisions an hour at the pace of the last ten minutes; null while there are too few. */
export function perHour({ decidedAt }: Pace): number | null {
  const [first, last] = [decidedAt[0], decidedAt.at(-1)];
  if (first === undefined || last === undefined || decidedAt.length < MIN_DECISIONS) return null;
  const minutes = Math.max(1, (last - first) / 60_000);
  return Math.round(((decidedAt.length - 1) / minutes) * 60);
}
