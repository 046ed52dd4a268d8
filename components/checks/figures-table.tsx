"use client";
import { Panel } from "#components/ui/card.tsx";
import { SegmentedControl } from "#components/ui/choice.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { formatCount, formatPercent, formatScore } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import type { CheckFigures, CheckQuality } from "#lib/checks/quality/schema.ts";
import { nameOf } from "./check-name.ts";
import { ShareFigure } from "./share-figure.tsx";

const w = words.checks;

/** Decisions that figures are computed from. */
export type Span = "last_500" | "all_time";

export function FiguresTable({
  checks,
  span,
  onSpan,
}: {
  checks: readonly CheckQuality[];
  span: Span;
  onSpan: (span: Span) => void;
}) {
  return (
    <Panel
      title={w.figures}
      description={w.figuresHint}
      flush
      actions={
        <SegmentedControl
          label={w.window}
          options={[
            { value: "last_500", label: w.recent },
            { value: "all_time", label: w.ever },
          ]}
          value={span}
          onChange={(value) => onSpan(value as Span)}
        />
      }
    >
      <DataTable
        caption={w.figures}
        columns={columnsOf(span)}
        rows={checks}
        rowKey={(check) => check.name}
        density="comfortable"
      />
    </Panel>
  );
}

function columnsOf(span: Span): Column<CheckQuality>[] {
  /** Without enough decisions a figure says little. */
  const figure = (key: "auc" | "brier" | "brier_skill" | "ece", header: string): Column<CheckQuality> => ({
    key,
    figure: key,
    header,
    numeric: true,
    cell: (check) => (isEnough(check) ? formatScore(check[span][key]) : "–"),
  });
  return [
    {
      key: "name",
      header: w.check,
      primary: true,
      wrap: true,
      cell: (check) => (
        <>
          {nameOf(check.name)}
          <span className="block text-12 font-normal text-muted">{stateOf(check)}</span>
        </>
      ),
    },
    {
      key: "n",
      header: w.decisions,
      numeric: true,
      cell: (check) => <Decisions check={check} of={check[span]} />,
    },
    figure("auc", w.auc),
    figure("brier", w.brier),
    figure("brier_skill", w.skill),
    figure("ece", w.ece),
    {
      key: "precision",
      figure: "precision",
      header: w.precision,
      numeric: true,
      cell: (check) => <ShareFigure share={check[span].precision} />,
    },
    {
      key: "recall",
      figure: "recall",
      header: w.recall,
      numeric: true,
      cell: (check) => <ShareFigure share={check[span].recall} />,
    },
  ];
}

export function isEnough({ counted, needed }: CheckQuality): boolean {
  return counted >= needed;
}

/** "30 of 30 approvals, 8 of 30 rejections" */
export function progressOf({ needed, all_time: { n, rejected } }: CheckQuality): string {
  const each = needed / 2;
  return w.progress(Math.min(n - rejected, each), Math.min(rejected, each), each);
}

function Decisions({ check, of }: { check: CheckQuality; of: CheckFigures }) {
  return (
    <span className="inline-flex flex-col desk:items-end">
      <span>{formatCount(of.n)}</span>
      <span className="text-12 text-muted">
        {isEnough(check) || of.n === 0
          ? of.base_rate === null
            ? null
            : w.rejectedShare(formatPercent(of.base_rate * 100))
          : progressOf(check)}
      </span>
    </span>
  );
}

export function stateOf(check: CheckQuality): string {
  const threshold = check.threshold === null ? null : formatPercent(check.threshold * 100);
  const at = threshold === null ? "" : `, ${w.threshold.toLowerCase()} ${threshold}`;
  if (!check.enabled) return w.states.off;
  if (check.stopped_at !== null) return w.states.stopped + at;
  if (check.name === "question") return w.states.stream + at;
  if (check.votes) return w.states.votes + at;
  return (check.name === "learner" && check.threshold === null ? w.states.learning : w.states.shown) + at;
}
