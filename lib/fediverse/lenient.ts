import { z } from "zod";
import { cleanText, cutCodePoints, storableText } from "./post-text.ts";
import { parseWebUrl } from "./urls.ts";

/* Schemas for the JSON of strangers: a wrong value is a missing one, and PostgreSQL can store the result. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function readObject(value: unknown): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

/** Any value, which may be missing. */
export const anything = z.unknown().optional();

/** Text of at most `max` code points. */
export function readText(value: unknown, max: number): string {
  return typeof value === "string" ? cutCodePoints(cleanText(value), max) : "";
}

/** An id as a string. Some servers send a number. */
export function readId(value: unknown): string | null {
  return readText(Number.isSafeInteger(value) ? String(value) : value, 512).trim() || null;
}

export const text = (max: number) => z.transform((value) => readText(value, max));
/** Text; null when blank. */
export const optionalText = (max: number) => z.transform((value) => readText(value, max).trim() || null);
export const id = z.transform(readId);
export const flag = z.transform((value) => value === true);
export const tristate = z.transform((value) => (typeof value === "boolean" ? value : null));

/** A count that fits PostgreSQL's `integer`. */
export const optionalCount = z.transform((value) =>
  typeof value === "number" && Number.isFinite(value)
    ? Math.min(2_147_483_647, Math.max(0, Math.trunc(value)))
    : null,
);
export const count = optionalCount.transform((value) => value ?? 0);

/** A value of the schema; null for anything else. */
export const optional = <T extends z.ZodType>(schema: T) =>
  z.transform((value): z.output<T> | null =>
    value === null || value === undefined ? null : (schema.safeParse(value).data ?? null),
  );

export const webUrl = z.transform((value) =>
  typeof value === "string" ? (parseWebUrl(storableText(value))?.href ?? null) : null,
);

/** A list without unreadable items. PHP writes a list that lost an item as an object: `{"0": …, "2": …}`. */
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

/** A time in milliseconds. Null if it is invalid, before 1990 or after `latest`. */
function timeOf(value: unknown, latest: number): number | null {
  const time = typeof value === "string" && value.length <= 64 ? Date.parse(value) : NaN;
  return time >= EARLIEST && time <= latest ? time : null;
}

/** A time of the past. Up to a day ahead counts as `now`, because clocks differ; more is null. */
export function readMoment(value: unknown, now: Date): string | null {
  const time = timeOf(value, now.getTime() + 24 * 3_600_000);
  return time === null ? null : new Date(Math.min(time, now.getTime())).toISOString();
}

/** A time that may lie ahead, such as the end of a poll. */
export const futureMoment = z.transform((value) => {
  const time = timeOf(value, Date.UTC(10_000, 0, 1) - 1);
  return time === null ? null : new Date(time).toISOString();
});
