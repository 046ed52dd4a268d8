import { Panel } from "#components/ui/card.tsx";
import { cn } from "#components/ui/cn.ts";
import { formatCount, formatShortDate } from "#components/format.ts";

export interface CalendarDay {
  date: string;
  day_of_week: string;
  rules: { id: number; hashtag: string; supply: number }[];
}

export function TopicalCalendar({ days, timeZone }: { days: CalendarDay[]; timeZone: string }) {
  return (
    <Panel
      title="Next 14 days"
      description={`Days in ${timeZone}. The number is the posts ready for a rule now.`}
      flush
    >
      {days.every((day) => day.rules.length === 0) ? (
        <p className="px-4 py-3 text-13 text-muted desk:hidden">No rules on these days.</p>
      ) : null}
      <ol className="grid grid-cols-1 gap-px overflow-hidden rounded-b-lg bg-line desk:grid-cols-7">
        {days.map((day, index) => (
          <li
            key={day.date}
            className={cn(
              "flex gap-3 bg-surface px-4 py-2.5 desk:min-h-24 desk:flex-col desk:gap-1 desk:px-3",
              day.rules.length === 0 && "max-desk:hidden",
            )}
          >
            <div className="w-24 shrink-0 text-12 text-muted desk:w-auto">
              <span className={cn(index === 0 && "font-semibold text-accent")}>
                {index === 0 ? "Today" : day.day_of_week}
              </span>{" "}
              <span className="tabular">{formatShortDate(day.date)}</span>
            </div>
            <ul className="min-w-0 space-y-1 text-13">
              {day.rules.map((rule) => (
                <li key={rule.id} className="min-w-0">
                  <span dir="auto" className="block truncate font-medium">
                    #{rule.hashtag}
                  </span>
                  <span className={cn("tabular text-12", rule.supply === 0 ? "text-warn" : "text-muted")}>
                    {rule.supply === 0 ? "none ready" : `${formatCount(rule.supply)} ready`}
                  </span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
