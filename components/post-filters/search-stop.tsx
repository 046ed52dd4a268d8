import { ButtonLink } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/states.tsx";
import { useTimeZone } from "#components/ui/clock-context.tsx";
import { formatExactTime, formatPercent } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import { stopOf, type SearchStopped } from "#lib/client/search-on.ts";

export interface SearchStopProps {
  stopped: SearchStopped;
  /** The order of what was searched. */
  order: string | null;
  href: string;
}

const w = words.reviewTools;

/** In place of what a search that stopped has not found yet: how far it came, and the way on. */
export function SearchStop({ stopped, order, href }: SearchStopProps) {
  const timeZone = useTimeZone();
  const { at, key } = stopOf(stopped);
  const date = formatExactTime(at, timeZone);
  return (
    <Notice action={<ButtonLink href={href}>{w.searchOn}</ButtonLink>}>
      {w.searchedHint} {order === "author" ? w.searchedToAuthor(`@${key}`) : scores(order, key, date)}
    </Notice>
  );
}

function scores(order: string | null, key: string | null, date: string): string {
  if (order !== "ai_unsure" || key === null) return w.searchedTo(date);
  const unsure = Number(key);
  if (unsure > 0.5) return w.searchedToUnscored(date);
  return w.searchedToScores(formatPercent(50 - 100 * unsure), formatPercent(50 + 100 * unsure));
}
