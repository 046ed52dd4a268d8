import * as words from "#components/words/desk.ts";
import { agreesWithAdvice, type HistoryEntry } from "#lib/desk/history.ts";

/* After a decision that was made without seeing the advice of the checks. */

type Decided = Pick<HistoryEntry, "advice" | "decision">;
const { advice } = words.review;

function adviceWords(entry: Decided): string {
  const reject = entry.advice?.would_reject ?? null;
  return reject === null ? advice.none : reject ? advice.reject : advice.fine;
}

/** "Checks: would reject"; null unless the decision differed from advice that was hidden. */
export function adviceLine(entry: Decided): string | null {
  return agreesWithAdvice(entry) === false ? words.review.adviceLine(adviceWords(entry)) : null;
}

/** Over the listed decisions; null without any. */
export function adviceCount(entries: readonly Decided[]): string | null {
  const known = entries.map(agreesWithAdvice).filter((agrees) => agrees !== null);
  if (known.length === 0) return null;
  return words.review.adviceCount(known.filter(Boolean).length, known.length);
}
