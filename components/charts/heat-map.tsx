import type { CSSProperties } from "react";
import { cn } from "#components/ui/cn.ts";
import { formatCount } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import { TableDetails } from "./table-details.tsx";

export interface HeatMapProps {
  label: string;
  /** 168 values by UTC hour of the week, Monday first. Negative ones are outlined. */
  values: readonly number[];
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** Hours across, weekdays down. */
export function HeatMap({ label, values }: HeatMapProps) {
  const max = Math.max(1, ...values.map(Math.abs));
  const at = (weekday: number, hour: number) => values[weekday * 24 + hour] ?? 0;
  return (
    <figure aria-label={label} data-unlisted className="min-w-0">
      <div aria-hidden className="grid grid-cols-[2rem_repeat(24,minmax(0,1fr))] gap-0.5 text-12 text-muted">
        {words.statistics.weekdays.map((name, weekday) => (
          <div key={name} className="contents">
            <span className="h-4 leading-4">{name}</span>
            {HOURS.map((hour) => (
              <Cell
                key={hour}
                value={at(weekday, hour)}
                max={max}
                title={`${name} ${hour}:00: ${formatCount(at(weekday, hour))}`}
              />
            ))}
          </div>
        ))}
        <span />
        {[0, 6, 12, 18].map((hour) => (
          <span key={hour} className="col-span-6">
            {hour}:00
          </span>
        ))}
      </div>
      <TableDetails label={label}>
        <thead>
          <tr>
            <th scope="col" className="h-8 px-2 text-start text-12 font-medium text-muted">
              {words.statistics.hourUtc}
            </th>
            {words.statistics.weekdays.map((name) => (
              <th key={name} scope="col" className="px-2 text-end text-12 font-medium text-muted">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {HOURS.map((hour) => (
            <tr key={hour} className="border-t border-line">
              <th scope="row" className="h-7 px-2 text-start font-normal">
                {hour}:00
              </th>
              {words.statistics.weekdays.map((name, weekday) => (
                <td key={name} className="tabular px-2 text-end">
                  {formatCount(at(weekday, hour))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </TableDetails>
    </figure>
  );
}

/** In forced colours, the height shows the value instead of the opacity. */
function Cell({ value, max, title }: { value: number; max: number; title: string }) {
  const strength = value === 0 ? 0 : 0.15 + (0.85 * Math.abs(value)) / max;
  return (
    <span title={title} className="relative h-4 rounded-xs bg-wash forced-colors:border-b">
      {value === 0 ? null : (
        <span
          data-bar={value > 0 ? "" : "frame"}
          className={cn(
            "absolute inset-x-0 bottom-0 h-full rounded-xs opacity-(--strength)",
            "forced-colors:h-[calc(var(--strength)*100%)] forced-colors:opacity-100",
            value > 0 ? "bg-(--accent-fill)" : "border-2 border-(--accent-fill)",
          )}
          style={{ "--strength": strength } as CSSProperties}
        />
      )}
    </span>
  );
}
