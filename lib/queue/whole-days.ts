import { z } from "zod";
import { refusedAs } from "#lib/http/fields.ts";
import type { ErrorCode } from "#lib/errors.ts";

/**
 * A number of days in a query, as the specification words its refusals. Any integer from `min` on is accepted,
 * however large.
 */
export function wholeDays(fallback: number, min: number, notInteger: ErrorCode, tooSmall: ErrorCode) {
  return z
    .string()
    .transform((value, ctx) => {
      const days = /^[+-]?\d+$/.test(value) ? Number(value) : NaN;
      if (days >= min) return Math.min(days, Number.MAX_SAFE_INTEGER);
      ctx.addIssue(refusedAs(Number.isNaN(days) ? notInteger : tooSmall));
      return z.NEVER;
    })
    .optional()
    .default(fallback)
    .meta({ override: { type: "integer", minimum: min, default: fallback } });
}
