import { setTimeout } from "node:timers/promises";

/** For display and waiting; decisions use the database's clock. */
export function now(): Date {
  return new Date();
}

/** ISO 8601 in UTC, with milliseconds. */
export function toIso(date: Date): string;
export function toIso(date: Date | null): string | null;
export function toIso(date: Date | null): string | null {
  return date === null ? null : date.toISOString();
}

/** The database row of an answer: its fields `at` and `…_at` are `Date`s. */
export type RowOf<Answer> = {
  [K in keyof Answer]: K extends `${string}_at` | "at"
    ? Date | (null extends Answer[K] ? null : never)
    : Answer[K];
};
type WithIsoTimes<Row> = {
  [K in keyof Row]: Row[K] extends Date ? string : Row[K] extends Date | null ? string | null : Row[K];
};

/** A copy of the row with its times as ISO 8601 text. */
export function isoTimes<Row extends object>(row: Row): WithIsoTimes<Row> {
  const result = { ...row } as Record<string, unknown>;
  for (const name in result) if (result[name] instanceof Date) result[name] = toIso(result[name]);
  return result as WithIsoTimes<Row>;
}

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

/** Ends early, and without an error, when the signal is aborted. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
