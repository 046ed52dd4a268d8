/*
 * Normalising moves combining marks in front of others, so its time grows with the square of the length of a run of
 * marks: 100 kB of them take seconds.
 */

/** UAX #15, Stream-Safe Text Format. No word of any language has as many. */
const MAX_MARKS = 30;

/** Combining marks, and the two letters of half width whose compatibility forms are marks. */
const MARKS = /[\p{M}\uff9e\uff9f]{2,}/gu;

/** Keeps the first 30 marks of each run. */
export function cutMarks(text: string): string {
  // Marks begin at U+0300.
  if (!/[\u0300-\uffff]/.test(text)) return text;
  return text.replace(MARKS, (run) =>
    run.length > MAX_MARKS ? Array.from(run).slice(0, MAX_MARKS).join("") : run,
  );
}

/** `String.normalize` in linear time. ASCII stays as it is. */
export function normaliseUnicode(text: string, form: "NFC" | "NFD" | "NFKC" | "NFKD"): string {
  if (/^[\0-\x7f]*$/.test(text)) return text;
  return cutMarks(text).normalize(form);
}
