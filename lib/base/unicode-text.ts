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
  return text.replace(MARKS, (run) =>
    run.length > MAX_MARKS ? Array.from(run).slice(0, MAX_MARKS).join("") : run,
  );
}

/** `String.normalize` in linear time. */
export function normaliseUnicode(text: string, form: "NFC" | "NFD" | "NFKC" | "NFKD"): string {
  return cutMarks(text).normalize(form);
}
