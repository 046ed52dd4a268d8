"use client";
import { Search } from "lucide-react";
import { useDeferredValue, useMemo, useState, type ReactNode } from "react";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { Input } from "#components/ui/input.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { formatCount } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";

const w = words.filters;
/** Rows drawn at once; the lists may hold ten thousand. */
const STEP = 50;

/** A block list: form on top, a box to find entries by, rows drawn in steps. */
export function BlockListPanel<Row>({
  title,
  hint,
  empty,
  emptyHint,
  actions,
  form,
  columns,
  rows,
  rowKey,
  textOf,
}: {
  title: string;
  hint: string;
  empty: string;
  emptyHint: string;
  actions?: ReactNode;
  form?: ReactNode;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => number;
  /** What an entry is found by. */
  textOf: (row: Row) => string;
}) {
  const [wanted, setWanted] = useState("");
  const [drawn, setDrawn] = useState(STEP);
  const query = useDeferredValue(wanted.trim().toLowerCase());
  const found = useMemo(
    () => (query === "" ? rows : rows.filter((row) => textOf(row).toLowerCase().includes(query))),
    [rows, query, textOf],
  );
  return (
    <Panel title={title} description={hint} actions={actions} flush>
      {form ? <div className="border-b border-line px-4 py-3">{form}</div> : null}
      {rows.length > 10 ? (
        <div className="flex items-center gap-3 border-b border-line px-4 py-2">
          <Input
            type="search"
            size="sm"
            lead={<Search aria-hidden />}
            aria-label={w.search}
            placeholder={w.search}
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
            className="max-w-64"
          />
          <span className="tabular text-13 text-muted" role="status">
            {w.shown(formatCount(found.length), formatCount(rows.length))}
          </span>
        </div>
      ) : null}
      <DataTable
        caption={title}
        columns={columns}
        rows={found.slice(0, drawn)}
        rowKey={rowKey}
        empty={
          query === "" ? (
            <EmptyState title={empty} className="py-8">
              {emptyHint}
            </EmptyState>
          ) : (
            <EmptyState
              title={w.searchEmpty}
              className="py-8"
              action={
                <Button size="sm" onClick={() => setWanted("")}>
                  {w.searchClear}
                </Button>
              }
            />
          )
        }
      />
      {found.length > drawn ? (
        <div className="border-t border-line p-3 text-center">
          <Button size="sm" onClick={() => setDrawn(drawn + STEP * 4)}>
            {w.showMore}
          </Button>
        </div>
      ) : null}
    </Panel>
  );
}
