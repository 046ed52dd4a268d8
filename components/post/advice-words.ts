import * as words from "#components/words/desk.ts";
import { agreesWithAdvice, type HistoryEntry } from "#lib/desk/history.ts";

/* After a decision that was made without seeing the advice of the checks. */

type Decided = Pick<HistoryEntry, "advice" | "decision">;
const { advice } = words.review;

function adviceWords(entry: Decided): string {
  const reject = entry.advice?.would_reject ?? null;
  return reject === null ? advice.none : reject ? advice.reject : advice.fine;
}

/** For a toast: "The checks would have said: would reject", "As you decided." */
export function revealWords(entry: Decided): { title: string; description?: string } {
  const title = words.review.adviceRevealed(adviceWords(entry));
  const agrees = agreesWithAdvice(entry);
  if (agrees === null) return { title };
  return { title, description: agrees ? words.review.adviceAgreed : words.review.adviceDisagreed };
}

/** "Checks: would reject, agreed"; null when the advice was visible. */
export function adviceLine(entry: Decided): string | null {
  if (entry.advice === undefined || entry.decision === "skip") return null;
  const agrees = agreesWithAdvice(entry);
  const line = words.review.adviceLine(adviceWords(entry));
  if (agrees === null) return line;
  return `${line}, ${agrees ? words.review.adviceSame : words.review.adviceOther}`;
}

/** Over the listed decisions; null without any. */
export function adviceCount(entries: readonly Decided[]): string | null {
  const known = entries.map(agreesWithAdvice).filter((agrees) => agrees !== null);
  if (known.length === 0) return null;
  return words.review.adviceCount(known.filter(Boolean).length, known.length);
}
