import { cutCodePoints } from "#lib/fediverse/post-text.ts";

/** Control characters, and those that change the direction of the text around them. */
const INVISIBLE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/gu;

/** One line without control characters, at most `max` code points. */
export function plainLine(text: string, max: number): string {
  const line = text.toWellFormed().replace(INVISIBLE, " ").replace(/\s+/g, " ").trim();
  return cutCodePoints(line, max).trim();
}
