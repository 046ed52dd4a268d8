"use client";
import { BarList } from "#components/charts/bar-list.tsx";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { Link } from "#components/ui/link.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { useMember } from "#components/shell/member-context.tsx";
import { formatCount, formatPercent } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import { authorHref } from "#lib/client/author-href.ts";
import { withQuery } from "#lib/client/query-string.ts";
import type { Overview } from "#lib/stats/overview-schema.ts";
import { waited } from "./waits-panel.tsx";

const w = words.statistics;
type Reviewer = Overview["reviewers"][number];
type StreamLine = Overview["streams"][number];

const streamColumns: Column<StreamLine>[] = [
  {
    key: "stream",
    header: w.stream,
    primary: true,
    cell: (line) => (
      <Link href={`/streams/${line.id}`} tone="plain">
        #{line.hashtag} <span className="font-normal text-muted">{line.instance}</span>
      </Link>
    ),
  },
  {
    key: "fetched",
    header: w.fetched,
    numeric: true,
    width: "6rem",
    cell: (line) => formatCount(line.fetched),
  },
  {
    key: "reviewed",
    header: w.reviewed,
    numeric: true,
    width: "6rem",
    cell: (line) => formatCount(line.reviewed),
  },
  {
    key: "approved",
    header: w.approved,
    numeric: true,
    width: "6rem",
    cell: (line) => formatCount(line.approved),
  },
  {
    key: "rate",
    header: w.approvalRate,
    numeric: true,
    width: "7rem",
    cell: (line) => (line.reviewed === 0 ? "–" : formatPercent(line.approval_rate)),
  },
  {
    key: "delivered",
    header: w.delivered,
    numeric: true,
    width: "6rem",
    cell: (line) => formatCount(line.delivered),
  },
  { key: "errors", header: w.errors, numeric: true, width: "5rem", cell: (line) => formatCount(line.errors) },
];

/** Who reviewed, where posts come from, and how much of it comes from few authors. */
export function PeoplePanels({ overview, sources }: { overview: Overview; sources: Record<string, number> }) {
  const me = useMember();
  const reviewers = [...overview.reviewers].sort(
    (a, b) => Number(b.member_id === me.id) - Number(a.member_id === me.id),
  );
  const reviewerColumns: Column<Reviewer>[] = [
    {
      key: "reviewer",
      header: w.reviewer,
      primary: true,
      cell: (line) => (
        <>
          {line.reviewer}
          {line.member_id === me.id ? <span className="font-normal text-muted"> ({w.you})</span> : null}
        </>
      ),
    },
    {
      key: "reviewed",
      header: w.reviewed,
      numeric: true,
      width: "6rem",
      cell: (line) => formatCount(line.reviewed),
    },
    {
      key: "rate",
      header: w.approvalRate,
      numeric: true,
      width: "7rem",
      cell: (line) => (line.reviewed === 0 ? "–" : formatPercent(line.approval_rate)),
    },
    {
      key: "wait",
      header: w.wait,
      numeric: true,
      width: "7rem",
      cell: (line) => waited(line.time_to_review.p50),
    },
  ];
  const { authors } = overview;
  const servers = Object.entries(sources)
    .filter(([, count]) => count > 0)
    .map(([host, count]) =>
      host === "other"
        ? { key: host, name: w.otherServers, value: count }
        : { key: host, name: host, value: count, href: withQuery("/posts", { instance: host }) },
    );
  return (
    <>
      <Panel title={w.streams} flush>
        <DataTable
          caption={w.streams}
          columns={streamColumns}
          rows={overview.streams}
          rowKey={(line) => line.id}
          empty={<EmptyState title={w.streamsEmpty} className="py-8" />}
        />
      </Panel>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 wide:grid-cols-2">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6 self-start">
          <Panel title={w.reviewers} description={w.reviewersHint} flush>
            <DataTable
              caption={w.reviewers}
              columns={reviewerColumns}
              rows={reviewers}
              rowKey={(line) => `${line.member_id}-${line.reviewer}`}
              empty={<EmptyState title={w.reviewersEmpty} className="py-8" />}
            />
          </Panel>
          <Panel title={w.bySource} description={w.bySourceHint}>
            {servers.length === 0 ? (
              <EmptyState title={w.bySourceEmpty} className="py-4" />
            ) : (
              <BarList label={w.bySource} nameLabel={w.server} valueLabel={w.posts} items={servers} />
            )}
          </Panel>
        </div>
        <Panel
          className="self-start"
          title={w.authors}
          description={
            authors.approved === 0
              ? undefined
              : w.authorsHint(formatPercent(authors.top_1_share), formatPercent(authors.top_10_share))
          }
        >
          {authors.top.length === 0 ? (
            <EmptyState title={w.authorsEmpty} className="py-4" />
          ) : (
            <BarList
              label={w.authors}
              nameLabel={w.author}
              valueLabel={w.approved}
              items={authors.top.map((each) => ({
                key: each.author,
                name: each.author,
                value: each.approved,
                href: authorHref(each.author),
              }))}
            />
          )}
        </Panel>
      </div>
    </>
  );
}
