import { useId, type ReactNode } from "react";
import { cn } from "#components/ui/cn.ts";
import { formatCount, formatShortDate } from "#components/format.ts";
import { FigureLink } from "./figure-link.tsx";
import { fillOf, PatternDefs } from "./pattern-defs.tsx";
import { TableDetails } from "./table-details.tsx";
import { dashes, figure, toneColor, toneFill, type ChartProps } from "./series.ts";

export function ChartFrame({
  label,
  rows,
  x,
  xKind = "date",
  xLabel = "Date",
  series,
  hrefOf,
  columns = [],
  height = 240,
  className,
  kind,
  hasLegend = series.length > 1,
  children,
}: ChartProps & { kind: "line" | "bar"; hasLegend?: boolean; children: ReactNode }) {
  const prefix = useId().replace(/[^\w-]/g, "");
  return (
    <figure aria-label={label} className={cn("min-w-0", className)}>
      {hasLegend ? (
        <ul className="mb-3 flex flex-wrap gap-x-4 gap-y-1 text-12 text-muted">
          {series.map((entry, index) => (
            <li key={entry.key} className="inline-flex items-center gap-1.5">
              <svg aria-hidden width="20" height="10" className="shrink-0">
                {kind === "line" ? (
                  <line
                    x1="1"
                    x2="19"
                    y1="5"
                    y2="5"
                    stroke={toneColor[entry.tone]}
                    strokeWidth="2"
                    strokeLinecap="round"
                    strokeDasharray={dashes[index % dashes.length]}
                  />
                ) : (
                  <>
                    <PatternDefs prefix={`${prefix}-key`} series={series} />
                    <rect
                      x="4.5"
                      y="0.5"
                      width="11"
                      height="9"
                      rx="1"
                      fill={fillOf(`${prefix}-key`, entry, index)}
                      stroke={toneFill[entry.tone]}
                    />
                  </>
                )}
              </svg>
              {entry.label}
            </li>
          ))}
        </ul>
      ) : null}
      <div aria-hidden style={{ height }}>
        {children}
      </div>
      <TableDetails label={label}>
        <thead>
          <tr>
            <th scope="col" className={cn(head, "text-start")}>
              {xLabel}
            </th>
            {[...series, ...columns].map((entry) => (
              <th key={entry.key} scope="col" className={cn(head, "text-end")}>
                {entry.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index} className="border-t border-line">
              <th scope="row" className="h-8 px-3 text-start font-normal whitespace-nowrap">
                {xKind === "date" ? formatShortDate(String(row[x])) : row[x]}
              </th>
              {series.map((entry) => (
                <td key={entry.key} className="tabular h-8 px-3 text-end">
                  {hrefOf ? (
                    <FigureLink href={hrefOf(row, entry.key)}>
                      {formatCount(figure(row, entry.key))}
                    </FigureLink>
                  ) : (
                    formatCount(figure(row, entry.key))
                  )}
                </td>
              ))}
              {columns.map(({ key }) => (
                <td key={key} className="tabular h-8 px-3 text-end">
                  {formatCount(figure(row, key))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </TableDetails>
    </figure>
  );
}

const head = "sticky top-0 h-8 bg-surface px-3 text-12 font-medium text-muted";
