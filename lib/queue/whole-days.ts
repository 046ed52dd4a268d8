import { ApiError, type ErrorCode } from "#lib/http/errors.ts";

/**
 * A number of days in a query, as the specification words its refusals. Any integer from `min` on is accepted,
 * however large.
 */
export function wholeDays(
  value: string | undefined,
  fallback: number,
  min: number,
  notInteger: ErrorCode,
  tooSmall: ErrorCode,
): number {
  if (value === undefined) return fallback;
  if (!/^[+-]?\d+$/.test(value)) throw new ApiError(notInteger);
  const days = Number(value);
  if (days < min) throw new ApiError(tooSmall);
  return Math.min(days, Number.MAX_SAFE_INTEGER);
}
