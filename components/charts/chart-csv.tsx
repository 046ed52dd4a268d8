"use client";
import { Download } from "lucide-react";
import { Button } from "#components/ui/button.tsx";
import { words } from "#components/words/en.ts";
import type { ChartProps } from "./series.ts";

/** The figures of a chart as a file, made in the browser. Its texts are Sluice's own, so no cell is a formula. */
export function ChartCsv({ label, rows, x, xLabel = words.common.date, series, columns = [] }: ChartProps) {
  const figures = [...series, ...columns];
  const save = () => {
    const lines = [
      [xLabel, ...figures.map((each) => each.label)],
      ...rows.map((row) => [row[x], ...figures.map(({ key }) => row[key])]),
    ];
    const file = new Blob([lines.map((line) => `${line.map(cell).join(",")}\r\n`).join("")], {
      type: "text/csv",
    });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = `${label.replace(/\W+/g, "-").toLowerCase()}.csv`;
    link.click();
    // Some browsers read it after the click.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  };
  return (
    <Button
      size="sm"
      variant="ghost"
      className="-my-1.5 pointer-coarse:-my-3"
      icon={<Download aria-hidden />}
      aria-label={`${words.common.exportCsv}: ${label}`}
      onClick={save}
    >
      {words.statistics.csv}
    </Button>
  );
}

function cell(value: string | number | null | undefined): string {
  return typeof value === "string" ? `"${value.replaceAll('"', '""')}"` : String(value ?? "");
}
