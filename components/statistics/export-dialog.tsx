"use client";
import { Download } from "lucide-react";
import { useState } from "react";
import { Button, buttonClass } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Select } from "#components/ui/input.tsx";
import { formatShortDate } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import { withQuery } from "#lib/client/query-string.ts";
import { addDays, type DayRange } from "#lib/stats/overview-schema.ts";

const w = words.statistics;
const tables = Object.entries(w.exportTables).map(([value, label]) => ({ value, label }));

/** One export of the page: a table or all, for the range that is shown or another, as CSV or JSON. */
export function ExportButton({ range }: { range: DayRange }) {
  const [table, setTable] = useState("");
  const [days, setDays] = useState("");
  const [format, setFormat] = useState<"csv" | "json">("csv");
  const today = new Date().toISOString().slice(0, 10);
  const { from, to } = days === "" ? range : { from: addDays(today, 1 - Number(days)), to: today };
  const isCsv = format === "csv";
  const href = isCsv
    ? withQuery("/api/v1/stats/overview.csv", { from, to, ...(table === "" ? {} : { section: table }) })
    : withQuery("/api/v1/stats/overview", { from, to });
  return (
    <Dialog
      title={w.export}
      trigger={<Button icon={<Download aria-hidden />}>{w.export}</Button>}
      footer={
        <a
          href={href}
          download={isCsv ? true : `overview-${from}-${to}.json`}
          className={buttonClass("primary")}
        >
          <Download aria-hidden />
          {w.exportFile}
        </a>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label={w.exportFormat}>
          <Select
            value={format}
            onChange={(event) => setFormat(event.target.value === "json" ? "json" : "csv")}
            options={[
              { value: "csv", label: "CSV" },
              { value: "json", label: "JSON" },
            ]}
          />
        </Field>
        <Field label={w.exportTable} hint={isCsv ? undefined : w.exportWhole}>
          <Select
            value={isCsv ? table : ""}
            disabled={!isCsv}
            onChange={(event) => setTable(event.target.value)}
            options={[{ value: "", label: w.exportAll }, ...tables]}
          />
        </Field>
        <Field label={w.range}>
          <Select
            value={days}
            onChange={(event) => setDays(event.target.value)}
            options={[
              { value: "", label: w.between(formatShortDate(range.from), formatShortDate(range.to)) },
              ...Object.entries(w.presets).map(([value, label]) => ({ value, label: w.lastDays(label) })),
            ]}
          />
        </Field>
      </div>
    </Dialog>
  );
}
