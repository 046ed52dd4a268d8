"use client";
import { BarList } from "#components/charts/bar-list.tsx";
import { FigureLink } from "#components/charts/figure-link.tsx";
import { Panel } from "#components/ui/card.tsx";
import type { Column } from "#components/ui/data-table.tsx";
import { Link } from "#components/ui/link.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { useMember } from "#components/shell/member-context.tsx";
import { formatCount, formatPercent } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import type { FigureName } from "#lib/figures-schema.ts";
import { authorHref } from "#lib/client/author-href.ts";
import { byReviewer, decisionList, figureList } from "#lib/client/figure-lists.ts";
import { metricsOf, type MetricOf } from "#lib/stats/metrics-schema.ts";
import { withQuery } from "#lib/client/query-string.ts";
import type { DayRange, Overview } from "#lib/stats/overview-schema.ts";
import { TablePanel } from "./table-panel.tsx";
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

type SourceMetric = Exclude<MetricOf<"stream">, "decided">;

/**
 * Figures of a stream or a server. Rejections by filters say nothing about a source, so the decisions are those of people.
 *
 * @param narrow filter for the posts of a line
 */
function sourceColumns<M extends SourceMetric, Line extends Record<M, number> & { approval_rate: number }>(
  metrics: readonly M[],
  range: DayRange,
  decidedOf: (line: Line) => number,
  narrow: (line: Line) => Record<string, string | number>,
): Column<Line>[] {
  const decided = (line: Line) => figureList("decided", range, narrow(line));
  return metrics.flatMap((metric) => {
    if (metric === "reviewed")
      return [figures("decided", w.decided, "7rem", (line: Line) => formatCount(decidedOf(line)), decided)];
    const column = figures<Line>(
      metric,
      w[metric],
      metric === "errors" ? "6rem" : "7rem",
      (line) => formatCount(line[metric]),
      (line) => figureList(metric, range, narrow(line)),
    );
    if (metric !== "approved") return [column];
    const rate = (line: Line) => rateOf(decidedOf(line), line.approval_rate);
    return [column, figures("approval_rate", w.approvalRate, "9rem", rate, decided)];
  });
}

function streamColumns(range: DayRange): Column<StreamLine>[] {
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
    ...sourceColumns(
      metricsOf("stream").filter((metric): metric is SourceMetric => metric !== "decided"),
      range,
      (line: StreamLine) => line.decided,
      ({ id }) => ({ stream_id: id }),
    ),
  ];
}

function serverColumns(range: DayRange): Column<ServerLine>[] {
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
    ...sourceColumns(
      metricsOf("instance"),
      range,
      (line: ServerLine) => line.reviewed,
      ({ instance }) => ({ instance }),
    ),
  ];
}

function reviewerColumns(range: DayRange, me: number): Column<Reviewer>[] {
  const list = (line: Reviewer) => figureList("decided", range, byReviewer(line));
  return [
    {
      key: "reviewer",
      header: w.reviewer,
      primary: true,
      cell: (line) => (
        <>
          <FigureLink href={decisionList(byReviewer(line))}>{line.reviewer}</FigureLink>
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
      <TablePanel
        title={w.streams}
        columns={streamColumns(range)}
        rows={overview.streams}
        rowKey={(line) => line.id}
        empty={<EmptyState title={w.streamsEmpty} className="py-8" />}
      />
      <TablePanel
        title={w.servers}
        description={w.serversHint}
        columns={serverColumns(range)}
        rows={overview.instances}
        rowKey={(line) => line.instance}
        empty={<EmptyState title={w.serversEmpty} className="py-8" />}
      />
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
    <TablePanel
      title={w.reviewers}
      description={w.reviewersHint}
      columns={reviewerColumns(range, me.id)}
      rows={reviewers}
      rowKey={(line) => `${line.member_id}-${line.reviewer}`}
      empty={<EmptyState title={w.reviewersEmpty} className="py-8" />}
    />
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
