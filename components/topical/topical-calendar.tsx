import { Panel } from "#components/ui/card.tsx";
import { cn } from "#components/ui/cn.ts";
import { formatCount, formatShortDate } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";

const w = words.topical;

export interface CalendarDay {
  date: string;
  day_of_week: string;
  rules: { id: number; hashtag: string; supply: number }[];
}

export function TopicalCalendar({ days, timeZone }: { days: CalendarDay[]; timeZone: string }) {
  return (
    <Panel title={w.calendar} description={w.calendarHint(timeZone)} flush>
      {days.every((day) => day.rules.length === 0) ? (
        <p className="px-4 py-3 text-13 text-muted desk:hidden">{w.noRule}</p>
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
                {index === 0 ? w.today : day.day_of_week}
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
                    {rule.supply === 0 ? w.noSupply : w.supply(formatCount(rule.supply))}
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
