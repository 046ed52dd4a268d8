/**
 * Text that PostgreSQL takes and JSON carries: NUL (refused by `text` and `jsonb`) is left out, lone halves of
 * surrogate pairs (refused by `jsonb`) become U+FFFD.
 */
export function cleanText(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}

/** The first `max` code points, never half of a pair. */
export function cutCodePoints(text: string, max: number): string {
  // A string is never shorter in UTF-16 units than in code points.
  if (text.length <= max) return text;
  let end = 0;
  for (let count = 0; count < max && end < text.length; count++) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return text.slice(0, end);
}
