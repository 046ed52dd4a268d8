import type { ReactNode } from "react";
import { FigureLink } from "#components/charts/figure-link.tsx";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { Link } from "#components/ui/link.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { LinkTabs } from "#components/ui/tabs.tsx";
import { formatCount, formatPercent } from "#components/format.ts";
import { authorHref } from "#lib/client/author-href.ts";
import { reviewerFilter, decisionsUrl, postsUrl } from "#lib/client/posts-url.ts";
import { withQuery, type QueryValue } from "#lib/client/query-string.ts";
import type { Overview } from "#lib/stats/overview-schema.ts";

/** Rows of a tab. */
const MAX_ROWS = 15;

type Counted = "fetched" | "decided" | "approved" | "delivered" | "errors";
const countedNames: Record<Counted, string> = {
  fetched: "Fetched",
  decided: "Decided",
  approved: "Approved",
  delivered: "Delivered",
  errors: "Errors",
};
type Figures = Partial<Record<Counted, number>> & { decided: number; approval_rate: number };

/** The figures by stream, server, author and reviewer, each in a tab. */
export function Breakdown({
  overview,
  memberId,
  by,
}: {
  overview: Overview;
  memberId: number;
  by: string | undefined;
}) {
  const { range, streams, instances, authors, reviewers } = overview;
  const tab = <Row extends Figures>(
    title: string,
    rows: readonly Row[],
    counted: readonly Counted[],
    filtersOf: (row: Row) => Record<string, QueryValue>,
    name: (row: Row) => ReactNode,
  ) => ({
    title,
    content: () => (
      <>
        <DataTable
          caption={title}
          columns={columnsOf(title, range, name, filtersOf, counted)}
          rows={rows.slice(0, MAX_ROWS)}
          rowKey={(row) => JSON.stringify(filtersOf(row))}
          empty={<EmptyState title="No posts in this period" className="py-8" />}
        />
        {rows.length > MAX_ROWS ? (
          <p className="px-4 py-2 text-13 text-muted">The {MAX_ROWS} with the most posts.</p>
        ) : null}
      </>
    ),
  });
  const tabs = [
    tab(
      "Stream",
      streams,
      ["fetched", "decided", "approved", "delivered", "errors"],
      ({ id }) => ({ stream_id: id }),
      ({ id, hashtag, instance }) => (
        <Link href={`/streams/${id}`} tone="plain">
          #{hashtag} <span className="font-normal text-muted">{instance}</span>
        </Link>
      ),
    ),
    tab(
      "Server",
      instances,
      ["fetched", "decided", "approved", "delivered"],
      ({ instance }) => ({ instance }),
      ({ instance }) => (
        <Link href={withQuery("/posts", { instance })} tone="plain">
          {instance}
        </Link>
      ),
    ),
    tab(
      "Author",
      authors,
      ["decided", "approved"],
      ({ author }) => ({ author }),
      ({ author }) => (
        <Link href={authorHref(author)} tone="plain">
          {author}
        </Link>
      ),
    ),
    tab(
      "Reviewer",
      reviewers.toSorted((a, b) => Number(b.member_id === memberId) - Number(a.member_id === memberId)),
      ["decided", "approved"],
      reviewerFilter,
      (row) => (
        <>
          <FigureLink href={decisionsUrl(reviewerFilter(row))}>{row.reviewer}</FigureLink>
          {row.member_id === memberId ? <span className="font-normal text-muted"> (you)</span> : null}
        </>
      ),
    ),
  ] as const;
  const shown = tabs.find(({ title }) => title === by) ?? tabs[0];
  return (
    <Panel title="By stream, server, author and reviewer" id="by" flush>
      <div className="px-4 pt-1 pb-2">
        <LinkTabs
          label="By stream, server, author and reviewer"
          tabs={tabs.map(({ title }) => ({
            href: `${withQuery("/statistics", { days: overview.days.length, by: title })}#by`,
            label: title,
            current: title === shown.title,
          }))}
        />
        {shown.title === "Author" ? (
          <p className="mt-4 -mb-2 text-13 text-muted">Posts that are stored now.</p>
        ) : null}
        <div className="-mx-4 pt-4">{shown.content()}</div>
      </div>
    </Panel>
  );
}

function columnsOf<Row extends Figures>(
  title: string,
  range: Overview["range"],
  name: (row: Row) => ReactNode,
  filtersOf: (row: Row) => Record<string, QueryValue>,
  counted: readonly Counted[],
): Column<Row>[] {
  const figures = counted.map((metric): Column<Row> => ({
    key: metric,
    header: countedNames[metric],
    numeric: true,
    width: "7rem",
    cell: (row) => (
      <FigureLink href={postsUrl(metric, range, filtersOf(row))}>{formatCount(row[metric])}</FigureLink>
    ),
  }));
  return [
    { key: "name", header: title, primary: true, cell: name },
    ...figures,
    {
      key: "approval_rate",
      header: "Approval rate",
      numeric: true,
      width: "9rem",
      cell: (row) => (row.decided === 0 ? "–" : formatPercent(row.approval_rate)),
    },
  ];
}
