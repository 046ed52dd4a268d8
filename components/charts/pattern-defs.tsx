import { fills, toneFill, type ChartSeries } from "./series.ts";

export function fillOf(prefix: string, series: ChartSeries, index: number): string {
  return fills[index % fills.length] === "solid" ? toneFill[series.tone] : `url(#${prefix}-${series.key})`;
}

/** Every series but the first has a pattern. */
export function PatternDefs({ prefix, series }: { prefix: string; series: readonly ChartSeries[] }) {
  return (
    <defs>
      {series.map((entry, index) => {
        const color = toneFill[entry.tone];
        const kind = fills[index % fills.length];
        if (kind === "solid") return null;
        return (
          <pattern
            key={entry.key}
            id={`${prefix}-${entry.key}`}
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            {...(kind === "diagonal" || kind === "cross" ? { patternTransform: "rotate(45)" } : {})}
          >
            <rect width="6" height="6" fill={color} fillOpacity={0.22} />
            {kind === "dots" ? <circle cx="3" cy="3" r="1.4" fill={color} /> : null}
            {kind === "diagonal" || kind === "cross" ? <rect width="2.5" height="6" fill={color} /> : null}
            {kind === "cross" || kind === "rows" ? <rect width="6" height="2" fill={color} /> : null}
          </pattern>
        );
      })}
    </defs>
  );
}
