import { ChevronLeft, ChevronRight } from "lucide-react";
import NextLink from "next/link";
import { buttonClass } from "#components/ui/button.tsx";
import { LinkTabs } from "#components/ui/tabs.tsx";
import { formatShortDate } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import { withQuery } from "#lib/client/query-string.ts";
import { addDays, daysOf, type DayRange } from "#lib/stats/overview-schema.ts";

const w = words.statistics;

/** Links, so that a range can be shared. */
export function RangeBar({ range }: { range: DayRange }) {
  const length = daysOf(range);
  const today = new Date().toISOString().slice(0, 10);
  const shifted = (by: number) =>
    withQuery("/statistics", { from: addDays(range.from, by), to: addDays(range.to, by) });
  const ends = range.to >= today;
  return (
    <div className="flex flex-wrap items-center gap-3">
      <LinkTabs
        label={w.range}
        tabs={Object.entries(w.presets).map(([days, label]) => ({
          href: withQuery("/statistics", { from: addDays(today, 1 - Number(days)), to: today }),
          label,
          current: ends && length === Number(days),
        }))}
      />
      <span className="inline-flex items-center gap-1">
        <NextLink
          href={shifted(-length)}
          aria-label={w.earlier}
          title={w.earlier}
          className={buttonClass("ghost", "sm")}
        >
          <ChevronLeft aria-hidden />
        </NextLink>
        <span className="tabular text-13 text-muted">
          {w.between(formatShortDate(range.from), formatShortDate(range.to))}
        </span>
        {ends ? (
          <span aria-hidden className={buttonClass("ghost", "sm", "opacity-40")}>
            <ChevronRight />
          </span>
        ) : (
          <NextLink
            href={shifted(length)}
            aria-label={w.later}
            title={w.later}
            className={buttonClass("ghost", "sm")}
          >
            <ChevronRight aria-hidden />
          </NextLink>
        )}
      </span>
    </div>
  );
}
