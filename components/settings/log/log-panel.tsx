import { ButtonLink } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { withQuery } from "#lib/client/query-string.ts";
import { LogFilters, type LogField, type LogFilterValues } from "./log-filters.tsx";

/** From `readLogAddress` of the page. */
export interface LogView<Line> {
  log: { items: Line[]; next_cursor: string | null };
  filters: LogFilterValues;
  isLater: boolean;
}

export interface LogPanelProps<Line> extends LogView<Line> {
  title: string;
  hint: string;
  empty: string;
  path: string;
  fields: readonly LogField[];
  columns: Column<Line>[];
}

/** A log, newest first, in pages by cursor. */
export function LogPanel<Line extends { id: string }>(props: LogPanelProps<Line>) {
  const { log, filters, isLater, title, hint, empty, path, fields, columns } = props;
  const filtered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Panel title={title} description={hint} flush>
      <LogFilters key={JSON.stringify(filters)} fields={fields} filters={filters} path={path} />
      <DataTable
        caption={title}
        columns={columns}
        rows={log.items}
        rowKey={(line) => line.id}
        empty={
          <EmptyState
            title={filtered ? "Nothing matches" : empty}
            action={
              filtered ? (
                <ButtonLink href={path} size="sm">
                  Clear filters
                </ButtonLink>
              ) : undefined
            }
          >
            {filtered ? "Choose a longer period or remove a filter." : undefined}
          </EmptyState>
        }
      />
      {isLater || log.next_cursor !== null ? (
        <nav aria-label="Pages of the log" className="flex justify-end gap-2 border-t border-line px-4 py-3">
          {isLater ? (
            <ButtonLink href={withQuery(path, filters)} size="sm">
              Newest
            </ButtonLink>
          ) : null}
          {log.next_cursor === null ? null : (
            <ButtonLink href={withQuery(path, { ...filters, cursor: log.next_cursor })} size="sm">
              Older
            </ButtonLink>
          )}
        </nav>
      ) : null}
    </Panel>
  );
}
