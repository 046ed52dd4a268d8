import { Download } from "lucide-react";
import { Badge } from "#components/ui/badge.tsx";
import { ButtonLink, buttonClass } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { words } from "#components/words/en.ts";
import { withQuery } from "#lib/client/query-string.ts";
import type { AuditLine } from "#lib/audit/schema.ts";
import { auditChange } from "./audit-change.ts";
import { AuditFilters, type AuditFilterValues } from "./audit-filters.tsx";

const w = words.settings.audit;
const HERE = "/settings/audit";

export interface AuditBoardProps {
  log: { items: AuditLine[]; next_cursor: string | null };
  filters: AuditFilterValues;
  csvQuery: Record<string, string | undefined>;
  isLater: boolean;
}

const columns: Column<AuditLine>[] = [
  {
    key: "what",
    header: w.what,
    primary: true,
    wrap: true,
    cell: (line) => (
      <>
        <span className="font-normal text-muted" title={line.action}>
          {w.actions[line.action] ?? line.action}
        </span>{" "}
        <bdi>{line.subject}</bdi>
      </>
    ),
  },
  {
    key: "change",
    header: w.change,
    wrap: true,
    cell: (line) => <Change texts={auditChange(line.before, line.after, w.was)} />,
  },
  {
    key: "who",
    header: w.who,
    width: "13rem",
    cell: (line) => (
      <span className="flex flex-wrap items-center gap-1.5 whitespace-normal">
        <span className="wrap-anywhere">{line.actor}</span>
        {line.source === "screen" ? null : <Badge>{w.sources[line.source]}</Badge>}
      </span>
    ),
  },
  { key: "when", header: w.when, width: "7rem", cell: (line) => <RelativeTime at={line.at} /> },
];

/** Longer changes are collapsed. */
const FEW = 3;

function Change({ texts }: { texts: string[] }) {
  if (texts.length === 0) return <span className="text-12 text-muted">–</span>;
  const list = (
    <ul className="text-12 text-muted">
      {texts.map((text) => (
        <li key={text} className="wrap-anywhere">
          {text}
        </li>
      ))}
    </ul>
  );
  if (texts.length <= FEW) return list;
  return (
    <details>
      <summary className="-my-1 w-fit rounded-sm py-1 text-12 text-muted pointer-coarse:-my-3 pointer-coarse:py-3">
        {w.fields(texts.length)}
      </summary>
      {list}
    </details>
  );
}

export function AuditBoard({ log, filters, csvQuery, isLater }: AuditBoardProps) {
  const filtered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Panel
      title={w.title}
      description={w.hint}
      actions={
        <a href={withQuery("/api/v1/audit.csv", csvQuery)} download className={buttonClass("quiet", "sm")}>
          <Download aria-hidden />
          {words.common.exportCsv}
        </a>
      }
      flush
    >
      <AuditFilters key={JSON.stringify(filters)} filters={filters} path={HERE} />
      <DataTable
        caption={w.title}
        columns={columns}
        rows={log.items}
        rowKey={(line) => line.id}
        empty={
          <EmptyState
            title={filtered ? w.emptyFiltered : w.empty}
            action={
              filtered ? (
                <ButtonLink href={HERE} size="sm">
                  {w.clear}
                </ButtonLink>
              ) : undefined
            }
          >
            {filtered ? w.emptyFilteredHint : undefined}
          </EmptyState>
        }
      />
      {isLater || log.next_cursor !== null ? (
        <nav aria-label={w.pages} className="flex justify-end gap-2 border-t border-line px-4 py-3">
          {isLater ? (
            <ButtonLink href={withQuery(HERE, { ...filters })} size="sm">
              {w.newest}
            </ButtonLink>
          ) : null}
          {log.next_cursor === null ? null : (
            <ButtonLink href={withQuery(HERE, { ...filters, cursor: log.next_cursor })} size="sm">
              {w.older}
            </ButtonLink>
          )}
        </nav>
      ) : null}
    </Panel>
  );
}
