import { BarChart } from "#components/charts/bar-chart.tsx";
import type { ChartRow, SeriesTone } from "#components/charts/series.ts";
import { FigureLink } from "#components/charts/figure-link.tsx";
import { Panel } from "#components/ui/card.tsx";
import type { Column } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { formatCount, formatPercent } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import { byPeople, figureList } from "#lib/client/figure-lists.ts";
import type { DayRange, Overview } from "#lib/stats/overview-schema.ts";
import { reasonName } from "./reason-name.ts";
import { TablePanel } from "./table-panel.tsx";

const w = words.statistics;
const tones: readonly SeriesTone[] = ["warn", "info", "accent", "neutral", "approve"];

export function RejectionsPanel({ overview: { rejections } }: { overview: Overview }) {
  const totals = new Map<string, number>();
  for (const { by_filters } of rejections)
    for (const { reason, count } of by_filters) totals.set(reason, (totals.get(reason) ?? 0) + count);
  const reasons = [...totals.keys()].sort((a, b) => (totals.get(b) ?? 0) - (totals.get(a) ?? 0));
  const rows = rejections.map(({ date, by_reviewers, by_filters }): ChartRow => {
    const of = (reason: string) => by_filters.find((each) => each.reason === reason)?.count ?? 0;
    return {
      date,
      by_reviewers,
      ...Object.fromEntries(reasons.map((reason, n) => [`reason${n}`, of(reason)])),
    };
  });
  const listOf = ({ date }: ChartRow, key: string) =>
    figureList(
      "rejected",
      { from: String(date), to: String(date) },
      key === "by_reviewers" ? byPeople : { auto_reject_reason: reasons[Number(key.slice("reason".length))] },
    );
  const isEmpty = totals.size === 0 && rejections.every((day) => day.by_reviewers === 0);
  return (
    <Panel level={3} title={w.rejections} description={w.rejectionsHint} figure="rejected">
      {isEmpty ? (
        <EmptyState title={w.rejectionsEmpty} className="py-8" />
      ) : (
        <BarChart
          stacked
          label={w.rejections}
          rows={rows}
          x="date"
          hrefOf={listOf}
          series={[
            { key: "by_reviewers", label: w.byReviewers, tone: "reject" },
            ...reasons.map((reason, n) => ({
              key: `reason${n}`,
              label: reasonName(reason),
              tone: tones[n % tones.length] ?? "neutral",
            })),
          ]}
        />
      )}
    </Panel>
  );
}

type Language = Overview["languages"][number];

function languageColumns(range: DayRange): Column<Language>[] {
  const list = (metric: "fetched" | "approved" | "decided", line: Language) =>
    line.language === "" ? null : figureList(metric, range, { language: line.language });
  return [
    {
      key: "language",
      header: w.language,
      primary: true,
      cell: ({ language }) => (language === "" ? w.noLanguage : languageName(language)),
    },
    {
      key: "fetched",
      figure: "fetched",
      header: w.fetched,
      numeric: true,
      width: "7rem",
      cell: (line) => <FigureLink href={list("fetched", line)}>{formatCount(line.fetched)}</FigureLink>,
    },
    {
      key: "decided",
      figure: "decided",
      header: w.decided,
      numeric: true,
      width: "7rem",
      cell: (line) => <FigureLink href={list("decided", line)}>{formatCount(line.decided)}</FigureLink>,
    },
    {
      key: "approved",
      figure: "approved",
      header: w.approved,
      numeric: true,
      width: "7rem",
      cell: (line) => <FigureLink href={list("approved", line)}>{formatCount(line.approved)}</FigureLink>,
    },
    {
      key: "rate",
      figure: "approval_rate",
      header: w.approvalRate,
      numeric: true,
      width: "9rem",
      cell: (line) => (
        <FigureLink href={list("decided", line)}>
          {line.decided === 0 ? "–" : formatPercent(line.approval_rate)}
        </FigureLink>
      ),
    },
  ];
}

const names = new Intl.DisplayNames("en", { type: "language", fallback: "code" });

function languageName(code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

export function LanguagesPanel({ overview: { languages, range } }: { overview: Overview }) {
  return (
    <TablePanel
      unlisted
      title={w.languages}
      columns={languageColumns(range)}
      rows={languages}
      rowKey={(line) => line.language}
      empty={<EmptyState title={w.languagesEmpty} className="py-8" />}
    />
  );
}
