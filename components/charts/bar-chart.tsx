import { formatCompact, formatCount, formatShortDate } from "#components/format.ts";
import { DataTable } from "#components/ui/data-table.tsx";

export interface BarSeries {
  key: string;
  label: string;
  /** Token of app/globals.css. */
  fill: "accent-fill" | "muted";
}

export interface BarChartProps {
  label: string;
  /** One row for each day (YYYY-MM-DD). */
  rows: readonly { date: string; [figure: string]: string | number }[];
  /** Bars of the second series are hollow, because colour must not be the only difference. */
  series: readonly [BarSeries, BarSeries];
}

/** Units of the drawing, which is stretched to the width of the panel. */
const HEIGHT = 100;
const DAY = 10;
const BAR = 3.5;

/** Step of the axis: 1, 2 or 5 times a power of ten. Three steps reach the maximum. */
function stepFor(max: number): number {
  const wanted = Math.max(1, max / 3);
  const power = 10 ** Math.floor(Math.log10(wanted));
  return ([1, 2, 5, 10].find((times) => times * power >= wanted) ?? 10) * power;
}

/** Two figures for each day as bars, and as a table for everyone who cannot use the chart. */
export function BarChart({ label, rows, series }: BarChartProps) {
  const step = stepFor(Math.max(0, ...rows.flatMap((row) => series.map(({ key }) => Number(row[key])))));
  const width = rows.length * DAY;
  const paint = (index: number) => (index === 0 ? `var(--${series[0].fill})` : "transparent");
  const shownDates = [rows[0], rows[Math.floor(rows.length / 2)], rows.at(-1)];
  return (
    <figure aria-label={label} className="min-w-0">
      <ul className="mb-3 flex flex-wrap gap-x-4 gap-y-1 text-12 text-muted">
        {series.map(({ key, label: name, fill }, index) => (
          <li key={key} className="inline-flex items-center gap-1.5">
            <span
              aria-hidden
              className="size-2.5 rounded-[1px] border"
              style={{ background: paint(index), borderColor: `var(--${fill})` }}
            />
            {name}
          </li>
        ))}
      </ul>
      <div aria-hidden className="flex h-32 gap-2 text-12 text-muted">
        <div className="tabular flex flex-col justify-between text-end leading-none">
          {[3, 2, 1, 0].map((times) => (
            <span key={times}>{formatCompact(step * times)}</span>
          ))}
        </div>
        <svg
          viewBox={`0 0 ${width} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="my-1.5 h-29 min-w-0 flex-1 overflow-visible"
        >
          <path
            d={[0, 1, 2, 3].map((times) => `M0 ${(times * HEIGHT) / 3}H${width}`).join("")}
            stroke="var(--line)"
            vectorEffect="non-scaling-stroke"
          />
          {rows.map((row, day) => (
            <g key={row.date}>
              <title>
                {`${formatShortDate(row.date)}: ${series.map(({ key, label: name }) => `${name} ${formatCount(Number(row[key]))}`).join(", ")}`}
              </title>
              <rect x={day * DAY} width={DAY} height={HEIGHT} fill="transparent" />
              {series.map(({ key, fill }, index) => {
                const height = (Number(row[key]) / step / 3) * HEIGHT;
                return (
                  <rect
                    key={key}
                    x={day * DAY + 1.2 + index * (BAR + 0.6)}
                    y={HEIGHT - height}
                    width={BAR}
                    height={height}
                    fill={paint(index)}
                    stroke={`var(--${fill})`}
                    vectorEffect="non-scaling-stroke"
                  />
                );
              })}
            </g>
          ))}
        </svg>
      </div>
      <div aria-hidden className="flex justify-between ps-8 text-12 text-muted">
        {shownDates.map((row, index) => (
          <span key={index}>{row && formatShortDate(row.date)}</span>
        ))}
      </div>
      <details className="mt-2 text-13">
        <summary className="inline-flex min-h-6 items-center rounded-sm text-12 text-muted hover:text-text">
          Show as table
        </summary>
        <DataTable
          caption={label}
          className="-mx-4 mt-2"
          rows={rows}
          rowKey={(row) => row.date}
          columns={[
            { key: "date", header: "Date", primary: true, cell: (row) => formatShortDate(row.date) },
            ...series.map(({ key, label: header }) => ({
              key,
              header,
              numeric: true,
              cell: (row: BarChartProps["rows"][number]) => formatCount(Number(row[key])),
            })),
          ]}
        />
      </details>
    </figure>
  );
}
