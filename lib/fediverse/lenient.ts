import { z } from "zod";
import { cleanText, cutCodePoints, storableText } from "./post-text.ts";
import { parseWebUrl } from "./urls.ts";

/* Schemas for the JSON of strangers: a wrong value is a missing one, and PostgreSQL can store the result. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function readObject(value: unknown): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

/** May be missing. */
export const anything = z.unknown().optional();

/** At most `max` code points. */
export function readText(value: unknown, max: number): string {
  return typeof value === "string" ? cutCodePoints(cleanText(value), max) : "";
}

/** A string; some servers send a number. */
export function readId(value: unknown): string | null {
  return readText(Number.isSafeInteger(value) ? String(value) : value, 512).trim() || null;
}

export const text = (max: number) => z.transform((value) => readText(value, max));
/** Null when blank. */
export const optionalText = (max: number) => z.transform((value) => readText(value, max).trim() || null);
export const id = z.transform(readId);
export const flag = z.transform((value) => value === true);
export const tristate = z.transform((value) => (typeof value === "boolean" ? value : null));

/** Fits PostgreSQL's `integer`. */
export const optionalCount = z.transform((value) =>
  typeof value === "number" && Number.isFinite(value)
    ? Math.min(2_147_483_647, Math.max(0, Math.trunc(value)))
    : null,
);
export const count = optionalCount.transform((value) => value ?? 0);

/** Null for everything but such a value. */
export const optional = <T extends z.ZodType>(schema: T) =>
  z.transform((value): z.output<T> | null =>
    value === null || value === undefined ? null : (schema.safeParse(value).data ?? null),
  );

export const webUrl = z.transform((value) =>
  typeof value === "string" ? (parseWebUrl(storableText(value))?.href ?? null) : null,
);

/** Without items that are null. PHP writes a list that lost an item as `{"0": …, "2": …}`. */
export const list = <T extends z.ZodType>(item: T, max: number) =>
  z.transform((value) =>
    readList(value)
      .slice(0, max)
      .flatMap((each): NonNullable<z.output<T>>[] => {
        const { data } = item.safeParse(each);
        return data === undefined || data === null ? [] : [data];
      }),
  );

function readList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  const given = readObject(value) ?? {};
  return Object.keys(given).every((key) => /^\d+$/.test(key)) ? Object.values(given) : [];
}

export function readObjects(value: unknown, max: number): JsonObject[] {
  return readList(value)
    .slice(0, max)
    .map(readObject)
    .filter((each) => each !== null);
}

const EARLIEST = Date.UTC(1990, 0, 1);

/** Null for an invalid time, one before 1990, or one after `latest`. */
function timeOf(value: unknown, latest: number): number | null {
  const time = typeof value === "string" && value.length <= 64 ? Date.parse(value) : NaN;
  return time >= EARLIEST && time <= latest ? time : null;
}

/** At most `now`, because clocks differ; null when more than a day ahead. */
export function readMoment(value: unknown, now: Date): string | null {
  const time = timeOf(value, now.getTime() + 24 * 3_600_000);
  return time === null ? null : new Date(Math.min(time, now.getTime())).toISOString();
}

/** May lie ahead (the end of a poll). */
export const futureMoment = z.transform((value) => {
  const time = timeOf(value, Date.UTC(10_000, 0, 1) - 1);
  return time === null ? null : new Date(time).toISOString();
});
