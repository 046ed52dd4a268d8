/** Times are milliseconds since 1970. */
export interface RateSnapshot {
  limit: number | null;
  remaining: number | null;
  reset_at: number | null;
}

/**
 * `X-RateLimit-*` or the IETF draft's `RateLimit-*`. The reset is an ISO time, seconds since 1970 or from
 * now, corrected by the response's `Date`.
 *
 * @param headers names in lower case
 */
export function readRateHeaders(headers: Readonly<Record<string, string>>, now: number): RateSnapshot | null {
  const read = (name: string) => headers[`x-ratelimit-${name}`] ?? headers[`ratelimit-${name}`];
  const snapshot = {
    limit: readCount(read("limit")),
    remaining: readCount(read("remaining")),
    reset_at: readTime(read("reset"), headers, now),
  };
  return snapshot.limit === null && snapshot.remaining === null ? null : snapshot;
}

/** Seconds or an HTTP date. */
export function readRetryAfter(headers: Readonly<Record<string, string>>, now: number): number | null {
  return readTime(headers["retry-after"], headers, now);
}

function readCount(text: string | undefined): number | null {
  return text !== undefined && /^\s*\d{1,9}\b/.test(text) ? Number.parseInt(text, 10) : null;
}

function readTime(
  text: string | undefined,
  headers: Readonly<Record<string, string>>,
  now: number,
): number | null {
  const value = text?.trim() ?? "";
  if (/^\d{1,15}(\.\d+)?$/.test(value)) {
    const number = Number(value);
    // Seconds from now, or seconds or milliseconds since 1970.
    if (number < 1e8) return now + number * 1000;
    return fromTheirClock(number < 1e11 ? number * 1000 : number, headers, now);
  }
  const time = Date.parse(value);
  return Number.isFinite(time) ? fromTheirClock(time, headers, now) : null;
}

function fromTheirClock(time: number, headers: Readonly<Record<string, string>>, now: number): number {
  const theirs = Date.parse(headers["date"] ?? "");
  return Number.isFinite(theirs) ? now + (time - theirs) : time;
}
