/* Calendar days in a time zone, for servers and browsers. */

/** The day of a time in a zone, as `YYYY-MM-DD`. */
export function dayIn(timeZone: string, time: Date): string {
  // The Swedish locale formats dates as ISO 8601.
  return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }).format(time);
}

/**
 * Start of a day in a zone: the first time after midnight where clocks skip it.
 *
 * @param day `YYYY-MM-DD`
 */
export function startOfDay(day: string, timeZone: string): Date {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" });
  // Binary search; no zone is further than 14 hours from UTC.
  let before = Date.parse(`${day}T00:00:00Z`) - 15 * 3_600_000;
  let within = before + 30 * 3_600_000;
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2);
    if (format.format(middle) >= day) within = middle;
    else before = middle;
  }
  return new Date(within);
}

/** The last millisecond of a day in a zone. @param day `YYYY-MM-DD`, before 9999-12-31 */
export function endOfDay(day: string, timeZone: string): Date {
  const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
  return new Date(startOfDay(next, timeZone).getTime() - 1);
}
