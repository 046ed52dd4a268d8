/** The process's clock, for display and for waiting. What decides something uses the database's clock. */
export function now(): Date {
  return new Date();
}

/** ISO 8601, UTC, milliseconds, `Z` (contract §1). Null stays null. */
export function toIso(date: Date): string;
export function toIso(date: Date | null): string | null;
export function toIso(date: Date | null): string | null {
  return date === null ? null : date.toISOString();
}

/** The calendar day of a moment in a zone, `YYYY-MM-DD`. */
export function dayIn(timeZone: string, moment: Date): string {
  // Sweden writes its dates the ISO way.
  return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(moment);
}

/**
 * The moment a calendar day begins in a zone; where the clocks skip midnight, the first moment after it.
 * @param day `YYYY-MM-DD`
 */
export function startOfDay(day: string, timeZone: string): Date {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" });
  // No zone is further than 14 hours from UTC, and days only go up: halve until the first millisecond is found.
  let before = Date.parse(`${day}T00:00:00Z`) - 15 * 3_600_000;
  let within = before + 30 * 3_600_000;
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2);
    if (format.format(middle) >= day) within = middle;
    else before = middle;
  }
  return new Date(within);
}

/** Resolves after `ms` milliseconds, or at once when `signal` aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
    signal?.addEventListener("abort", done);
  });
}
