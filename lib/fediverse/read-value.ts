import { cleanText, cutCodePoints, storableText } from "./post-text.ts";
import { parseWebUrl } from "./urls.ts";

/* Readers for untrusted JSON: they never throw and return values that PostgreSQL can store. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function readObject(value: unknown): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

/** PHP writes a list that lost an item as `{"0": …, "2": …}`. */
export function readList(value: unknown, max: number): unknown[] {
  if (Array.isArray(value)) return value.slice(0, max);
  const numbered = readObject(value);
  return numbered !== null && Object.keys(numbered).every((key) => /^\d+$/.test(key))
    ? Object.values(numbered).slice(0, max)
    : [];
}

export function readObjects(value: unknown, max: number): JsonObject[] {
  return readList(value, max)
    .map(readObject)
    .filter((item) => item !== null);
}

/** At most `max` code points. */
export function readText(value: unknown, max: number): string {
  return typeof value === "string" ? cutCodePoints(cleanText(value), max) : "";
}

/** Like `readText`, but null when blank. */
export function readOptionalText(value: unknown, max: number): string | null {
  const text = readText(value, max).trim();
  return text === "" ? null : text;
}

/** A string; some servers send a number. */
export function readId(value: unknown): string | null {
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  return readOptionalText(value, 512);
}

export function readFlag(value: unknown): boolean {
  return value === true;
}

export function readTristate(value: unknown): boolean | null {
  return typeof value === "boolean" ? value : null;
}

const MAX_INTEGER = 2_147_483_647;

/** Fits PostgreSQL's `integer`; 0 for anything else. */
export function readCount(value: unknown): number {
  if (typeof value !== "number" || !Number.isFinite(value)) return 0;
  return Math.min(MAX_INTEGER, Math.max(0, Math.trunc(value)));
}

export function readPixels(value: unknown): number | null {
  const count = readCount(value);
  return count > 0 && count <= 1_000_000 ? count : null;
}

export function readWebUrl(value: unknown): string | null {
  return typeof value === "string" ? (parseWebUrl(storableText(value))?.href ?? null) : null;
}

const EARLIEST = Date.UTC(1990, 0, 1);
const DAY_MS = 24 * 3_600_000;

/**
 * At most `now`, because clocks differ.
 *
 * @returns null for an invalid date, before 1990 or more than a day ahead
 */
export function readMoment(value: unknown, now: Date): string | null {
  if (typeof value !== "string" || value.length > 64) return null;
  const time = Date.parse(value);
  if (!Number.isFinite(time) || time < EARLIEST || time > now.getTime() + DAY_MS) return null;
  return new Date(Math.min(time, now.getTime())).toISOString();
}

/** May lie ahead (the end of a poll). */
export function readFutureMoment(value: unknown): string | null {
  if (typeof value !== "string" || value.length > 64) return null;
  const time = Date.parse(value);
  return Number.isFinite(time) && time >= EARLIEST && time < Date.UTC(10_000, 0, 1)
    ? new Date(time).toISOString()
    : null;
}
