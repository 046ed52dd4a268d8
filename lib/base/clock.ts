import { setTimeout } from "node:timers/promises";

/** The time of this machine, for display and waiting. Decisions use the database's clock. */
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

/** Ends early, and without an error, when the signal is aborted. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
