import { z } from "zod";
import { textOf, type ErrorCode } from "#lib/base/errors.ts";
import { type FigureName, figures } from "#lib/base/figures-schema.ts";

/** Largest id of PostgreSQL's integer. A larger id is unknown, not invalid. */
export const MAX_ID = 2_147_483_647;

/** A zod issue that is answered with this error instead of 422. It takes precedence over other issues. */
export function refusedAs(code: ErrorCode) {
  return { code: "custom" as const, message: textOf(code), params: { refusal: code } };
}

/** The error of an issue that `refusedAs` made. */
export function refusalOf(issue: z.core.$ZodIssue): ErrorCode | undefined {
  return issue.code === "custom" ? (issue.params?.refusal as ErrorCode | undefined) : undefined;
}

const truthy = new Set(["true", "1", "yes"]);
const falsy = new Set(["false", "0", "no"]);

type Refuse = (message: string) => typeof z.NEVER;

/** A parameter that is parsed from its text. */
function parsed<T>(
  override: object,
  description: string | undefined,
  parse: (value: string, refuse: Refuse) => T,
) {
  return z
    .string()
    .transform((value, ctx) =>
      parse(value, (message) => {
        ctx.addIssue({ code: "custom", message });
        return z.NEVER;
      }),
    )
    .meta({ override, ...(description === undefined ? {} : { description }) });
}

/** A boolean in a query: `true 1 yes` or `false 0 no` in any letter case, else 422. */
export function queryBoolean(description?: string) {
  return parsed({ type: "boolean" }, description, (value, refuse) => {
    const lower = value.toLowerCase();
    if (truthy.has(lower)) return true;
    return falsy.has(lower) ? false : refuse("must be true or false");
  });
}

/** Query of operations that declare `dryRun`. */
export const DryRunQuery = z.object({ dry_run: queryBoolean().optional() });
export const DryRunBody = z.object({ dry_run: z.boolean().optional() });
export type DryRunBody = z.output<typeof DryRunBody>;

/** A boolean of `GET /curated/next`: everything but `true 1 yes` is false. */
export function lenientBoolean(description?: string) {
  return parsed({ type: "boolean", default: false }, description, (value) => truthy.has(value.toLowerCase()));
}

/** An integer in a query, in decimal digits; `1e2`, an empty value and `0x1` are refused. */
export function queryInteger(minimum: number, maximum: number, description?: string) {
  return parsed({ type: "integer", minimum, maximum }, description, (value, refuse) => {
    if (!/^-?\d{1,15}$/.test(value)) return refuse("must be an integer");
    const number = Number(value);
    if (number < minimum) return refuse(`must be at least ${minimum}`);
    return number > maximum ? refuse(`must be at most ${maximum}`) : number;
  });
}

/** Any integer from 0 on, capped at JSON's largest. Queries may cap it at `MAX_ID`. */
export function querySkip(description = "Items to skip.") {
  return parsed({ type: "integer", minimum: 0 }, description, (value, refuse) => {
    if (/^\d+$/.test(value)) return Math.min(Number(value), Number.MAX_SAFE_INTEGER);
    return refuse(/^-\d+$/.test(value) ? "must be at least 0" : "must be an integer");
  });
}

/** Query of a list: `skip` from 0, `limit` 1 to 1000 (100). */
export function paging() {
  return {
    skip: querySkip().optional().default(0),
    limit: queryInteger(1, 1000, "Maximum number of items.").optional().default(100),
  };
}

/** A time in a query: ISO 8601, UTC without a zone, years 1 to 9999. */
export function queryTime(description?: string) {
  return parsed({ type: "string", format: "date-time" }, description, (value, refuse) => {
    const shape = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;
    const isZoned = value.length === 10 || /(Z|[+-]\d{2}:?\d{2})$/i.test(value.slice(10));
    const time = new Date(shape.test(value) ? (isZoned ? value : `${value}Z`) : NaN);
    // Date would turn 30 February into a day of March.
    const day = new Date(`${value.slice(0, 10)}T00:00:00Z`);
    const isDay = !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value.slice(0, 10));
    return isDay && isWithinCalendar(time) ? time : refuse("must be an ISO 8601 time");
  });
}

/** A time in a body: ISO 8601 with a zone, years 1 to 9999. Passed to PostgreSQL as sent. */
export function bodyTime() {
  return z.iso
    .datetime({ offset: true })
    .refine((value) => isWithinCalendar(new Date(value)), "must be an ISO 8601 time");
}

const CALENDAR = [Date.parse("0001-01-01T00:00:00.000Z"), Date.parse("9999-12-31T23:59:59.999Z")] as const;

/** A zone can move a time beyond these years, where ISO 8601 needs a sign that PostgreSQL does not read. */
function isWithinCalendar(time: Date): boolean {
  return time.getTime() >= CALENDAR[0] && time.getTime() <= CALENDAR[1];
}

/** Length in Unicode code points, as PostgreSQL counts characters. */
export function codePoints(text: string): number {
  let n = 0;
  for (const _ of text) n++;
  return n;
}

/** Text that PostgreSQL can store: no NUL, no lone surrogate, `min`–`max` code points. */
export function text(max: number, min = 0) {
  return z
    .string()
    .superRefine((value, ctx) => {
      const refuse = (message: string) => ctx.addIssue({ code: "custom", message });
      if (value.includes("\0")) return refuse("must not contain a NUL character");
      if (!value.isWellFormed()) return refuse("must be well-formed Unicode");
      const length = codePoints(value);
      if (length < min) refuse(min === 1 ? "must not be empty" : `must have at least ${min} characters`);
      if (length > max) refuse(`must have at most ${max} characters`);
    })
    .meta({ override: { type: "string", maxLength: max, ...(min ? { minLength: min } : {}) } });
}

const MAX_DEPTH = 32;

/**
 * Why a value cannot be stored as jsonb, or null. Checks the depth without recursion and before JSON.stringify,
 * because 256 KiB can overflow the stack.
 */
export function jsonProblem(json: unknown, maxKiB: number): string | null {
  const open: { value: unknown; depth: number }[] = [{ value: json, depth: 0 }];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    const { value, depth } = item;
    if (typeof value === "string") {
      if (value.includes("\0")) return "must not contain a NUL character";
      if (!value.isWellFormed()) return "must be well-formed Unicode";
    } else if (typeof value === "object" && value !== null) {
      if (depth >= MAX_DEPTH) return `must not be nested deeper than ${MAX_DEPTH}`;
      for (const [key, inner] of Object.entries(value)) {
        open.push({ value: key, depth }, { value: inner, depth: depth + 1 });
      }
    }
  }
  const bytes = new TextEncoder().encode(JSON.stringify(json)).byteLength;
  return bytes > maxKiB * 1024 ? `must not be larger than ${maxKiB} KiB` : null;
}

/** An id in a body. */
export const bodyId = z.int().min(1).max(MAX_ID);

/** A time in a response: ISO 8601 in UTC. */
export const isoTime = z
  .string()
  .meta({ override: { type: "string", format: "date-time" }, example: "2026-05-04T12:00:00.000Z" });

/** A text in a response. */
export function stringField(description: string, example: string) {
  return z.string().meta({ description, example });
}

/** A text or null in a response. */
export function nullableString(description: string, example: string) {
  return z.string().nullable().meta({ description, example });
}

/** Refuses an update without any known field. */
export function atLeastOneKey<S extends z.ZodObject>(schema: S) {
  return schema.refine((value) => Object.values(value).some((v) => v !== undefined), {
    message: `must name at least one of ${Object.keys(schema.shape).join(", ")}`,
  });
}

/** A count with its definition as description. */
export function countOf(name: FigureName) {
  return z.int().min(0).describe(figures[name].definition);
}
