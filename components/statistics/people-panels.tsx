"use client";
import { BarList } from "#components/charts/bar-list.tsx";
import { FigureLink } from "#components/charts/figure-link.tsx";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { Link } from "#components/ui/link.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { useMember } from "#components/shell/member-context.tsx";
import { formatCount, formatPercent } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import type { FigureName } from "#lib/figures-schema.ts";
import { authorHref } from "#lib/client/author-href.ts";
import { byPeople, byReviewer, figureList } from "#lib/client/figure-lists.ts";
import { metricsOf, type MetricOf } from "#lib/stats/metrics-schema.ts";
import { withQuery } from "#lib/client/query-string.ts";
import type { DayRange, Overview } from "#lib/stats/overview-schema.ts";
import { CsvLink } from "./csv-link.tsx";
import { Waited } from "./waits-panel.tsx";

const w = words.statistics;
type Reviewer = Overview["reviewers"][number];
type StreamLine = Overview["streams"][number];
type ServerLine = Overview["instances"][number];

const rateOf = (decided: number, rate: number) => (decided === 0 ? "–" : formatPercent(rate));

function figures<Row>(
  key: FigureName,
  header: string,
  width: string,
  figure: (line: Row) => string,
  list: (line: Row) => string,
): Column<Row> {
  return {
    key,
    figure: key,
    header,
    numeric: true,
    width,
    cell: (line) => <FigureLink href={list(line)}>{figure(line)}</FigureLink>,
  };
}

function streamColumns(range: DayRange): Column<StreamLine>[] {
  const column = (metric: MetricOf<"stream">) =>
    figures<StreamLine>(
      metric,
      w[metric],
      metric === "errors" ? "6rem" : "7rem",
      (line) => formatCount(line[metric]),
      (line) => figureList(metric, range, { stream_id: line.id }),
    );
  const decided = (line: StreamLine) => figureList("reviewed", range, { stream_id: line.id, ...byPeople });
  const rate = figures<StreamLine>(
    "approval_rate",
    w.approvalRate,
    "9rem",
    (line) => rateOf(line.decided, line.approval_rate),
    decided,
  );
  return [
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
    ...metricsOf("stream").flatMap((metric) => {
      if (metric === "reviewed")
        return [
          figures("decided", w.decided, "7rem", (line: StreamLine) => formatCount(line.decided), decided),
        ];
      return metric === "approved" ? [column(metric), rate] : [column(metric)];
    }),
  ];
}

function serverColumns(range: DayRange): Column<ServerLine>[] {
  const column = (metric: Exclude<MetricOf<"instance">, "reviewed">) =>
    figures<ServerLine>(
      metric,
      w[metric],
      "7rem",
      (line) => formatCount(line[metric]),
      (line) => figureList(metric, range, { instance: line.instance }),
    );
  // Rejections by filters say nothing about a server.
  const decided = (line: ServerLine) =>
    figureList("reviewed", range, { instance: line.instance, ...byPeople });
  const rate = figures<ServerLine>(
    "approval_rate",
    w.approvalRate,
    "9rem",
    (line) => rateOf(line.reviewed, line.approval_rate),
    decided,
  );
  return [
    {
      key: "server",
      header: w.server,
      primary: true,
      cell: (line) => (
        <Link href={withQuery("/posts", { instance: line.instance })} tone="plain">
          {line.instance}
        </Link>
      ),
    },
    ...metricsOf("instance").flatMap((metric) => {
      if (metric === "reviewed")
        return [
          figures("decided", w.decided, "7rem", (line: ServerLine) => formatCount(line.reviewed), decided),
        ];
      return metric === "approved" ? [column(metric), rate] : [column(metric)];
    }),
  ];
}

function reviewerColumns(range: DayRange, me: number): Column<Reviewer>[] {
  const list = (line: Reviewer) => figureList("reviewed", range, byReviewer(line));
  return [
    {
      key: "reviewer",
      header: w.reviewer,
      primary: true,
      cell: (line) => (
        <>
          {line.reviewer}
          {line.member_id === me ? <span className="font-normal text-muted"> ({w.you})</span> : null}
        </>
      ),
    },
    figures("decided", w.decided, "7rem", (line) => formatCount(line.reviewed), list),
    figures(
      "approval_rate",
      w.approvalRate,
      "9rem",
      (line) => rateOf(line.reviewed, line.approval_rate),
      list,
    ),
    {
      key: "wait",
      figure: "time_to_review",
      header: w.wait,
      numeric: true,
      width: "7rem",
      cell: (line) => (
        <Waited kind="review" range={range} seconds={line.time_to_review.p50} narrow={byReviewer(line)} />
      ),
    },
  ];
}

export function StreamsAndServers({ overview }: { overview: Overview }) {
  const { range } = overview;
  return (
    <>
      <Panel
        level={3}
        title={w.streams}
        flush
        actions={<CsvLink range={range} section="streams" label={w.streams} />}
      >
        <DataTable
          caption={w.streams}
          columns={streamColumns(range)}
          rows={overview.streams}
          rowKey={(line) => line.id}
          empty={<EmptyState title={w.streamsEmpty} className="py-8" />}
        />
      </Panel>
      <Panel
        level={3}
        title={w.servers}
        description={w.serversHint}
        flush
        actions={<CsvLink range={range} section="instances" label={w.servers} />}
      >
        <DataTable
          caption={w.servers}
          columns={serverColumns(range)}
          rows={overview.instances}
          rowKey={(line) => line.instance}
          empty={<EmptyState title={w.serversEmpty} className="py-8" />}
        />
      </Panel>
    </>
  );
}

/** The member's own row comes first. */
export function ReviewersPanel({ overview }: { overview: Overview }) {
  const me = useMember();
  const { range } = overview;
  const reviewers = [...overview.reviewers].sort(
    (a, b) => Number(b.member_id === me.id) - Number(a.member_id === me.id),
  );
  return (
    <Panel
      level={3}
      title={w.reviewers}
      description={w.reviewersHint}
      flush
      actions={<CsvLink range={range} section="reviewers" label={w.reviewers} />}
    >
      <DataTable
        caption={w.reviewers}
        columns={reviewerColumns(range, me.id)}
        rows={reviewers}
        rowKey={(line) => `${line.member_id}-${line.reviewer}`}
        empty={<EmptyState title={w.reviewersEmpty} className="py-8" />}
      />
    </Panel>
  );
}

export function AuthorsPanel({ overview: { authors, range } }: { overview: Overview }) {
  return (
    <Panel
      level={3}
      figure="author_share"
      title={w.authors}
      description={
        authors.approved === 0
          ? undefined
          : w.authorsHint(formatPercent(authors.top_1_share), formatPercent(authors.top_10_share))
      }
      actions={<CsvLink range={range} section="authors" label={w.authors} />}
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
            listHref: figureList("approved", range, { author: each.author }),
          }))}
        />
      )}
    </Panel>
  );
}
