import { forecastQueue } from "#lib/queue/forecast-queue.ts";
import { countHeldPosts, type HeldPosts } from "#lib/queue/held-posts.ts";
import { listRejectReasons } from "#lib/review/reject-reasons.ts";
import { getAnswers } from "./get-answers.ts";
import { allMetrics, metricsOf, percent, pick, type Metric } from "./metrics-schema.ts";
import { addDays, daysOf, type DayRange, type Overview, type Totals } from "./overview-schema.ts";
import {
  authorRows,
  instanceRows,
  reasonRows,
  rejectReasonRows,
  reviewerRows,
  streamRows,
  totalsOf,
  waitRows,
  type ReasonRow,
  type WaitKind,
  type WaitRow,
} from "./overview-sql.ts";
import { streamCountRows } from "./sql.ts";
import { compactFigures } from "./stored-figures.ts";
import { waitOf } from "./wait-buckets.ts";

const REVIEWERS = 50;
const STREAMS = 50;
const INSTANCES = 20;
const AUTHORS = 10;
const REASONS = 20;

/**
 * Compared with the equally long range before it. Deleted posts stay counted.
 *
 * @param range UTC days, both included, at most 92
 */
export async function getOverview(range: DayRange): Promise<Overview> {
  await compactFigures(new Date(Date.now() + 1000));
  const days = daysOf(range);
  const previous = { from: addDays(range.from, -days), to: addDays(range.from, -1) };
  const [current, before, timeToReview, timeToDelivery, reasons, rejectReasons, heldPosts] =
    await Promise.all([
      totalsOf(range),
      totalsOf(previous),
      comparedWaits("review_wait", range, previous),
      comparedWaits("delivery_wait", range, previous),
      reasonRows(range, REASONS),
      rejectReasonFigures(range),
      countHeldPosts(),
    ]);
  const totals = { current: withRate(current), previous: withRate(before) };
  const [reviewers, streams, instances, authors, runway, answers] = await Promise.all([
    reviewerFigures(range),
    streamFigures(range),
    instanceFigures(range),
    authorFigures(range, totals.current.approved),
    forecastQueue(heldPosts),
    getAnswers(range),
  ]);
  return {
    range: { ...range, days },
    previous: { ...previous, days },
    totals,
    time_to_review: timeToReview,
    time_to_delivery: timeToDelivery,
    reviewers,
    streams,
    instances,
    authors,
    funnel: funnelOf(totals.current, reasons, heldPosts.held),
    reject_reasons: rejectReasons,
    runway,
    ...answers,
  };
}

async function rejectReasonFigures(range: DayRange): Promise<Overview["reject_reasons"]> {
  const [rows, reasons] = await Promise.all([rejectReasonRows(range), listRejectReasons()]);
  const labels = new Map(reasons.map(({ id, label }) => [id, label]));
  return rows.map(({ id, count }) => ({ id: id === 0 ? null : id, label: labels.get(id) ?? null, count }));
}

function withRate(totals: Record<Metric, number>): Totals {
  return { ...totals, approval_rate: percent(totals.approved, totals.decided) };
}

async function comparedWaits(kind: WaitKind, range: DayRange, previous: DayRange) {
  const [current, before] = await Promise.all(
    [range, previous].map((days) => waitRows(kind, "all", [""], days)),
  );
  return { current: waitOf(current ?? []), previous: waitOf(before ?? []) };
}

const ofKey = (rows: readonly WaitRow[], key: string) => waitOf(rows.filter((row) => row.key === key));

async function reviewerFigures(range: DayRange): Promise<Overview["reviewers"]> {
  const rows = await reviewerRows(range, REVIEWERS);
  const keyOf = (row: { reviewer_id: number; reviewer: string }) => `${row.reviewer_id}:${row.reviewer}`;
  const waits = await waitRows("review_wait", "reviewer", rows.map(keyOf), range);
  return rows.map((row) => ({
    member_id: row.reviewer_id === 0 ? null : row.reviewer_id,
    reviewer: row.reviewer,
    ...pick(row, metricsOf("reviewer")),
    approval_rate: percent(row.approved, row.reviewed),
    time_to_review: ofKey(waits, keyOf(row)),
  }));
}

const none = Object.fromEntries(allMetrics.map((metric) => [metric, 0])) as Record<Metric, number>;

async function streamFigures(range: DayRange): Promise<Overview["streams"]> {
  const [rows, counts] = await Promise.all([streamRows(range), streamCountRows()]);
  const current = new Map(rows.map((row) => [row.stream_id, row]));
  const streams = counts
    .map((stream) => ({ stream, flow: current.get(stream.id) ?? none }))
    .sort((a, b) => b.flow.fetched - a.flow.fetched || a.stream.id - b.stream.id)
    .slice(0, STREAMS);
  const keys = streams.map(({ stream }) => String(stream.id));
  const [reviews, deliveries] = await Promise.all([
    waitRows("review_wait", "stream", keys, range),
    waitRows("delivery_wait", "stream", keys, range),
  ]);
  return streams.map(({ stream, flow }) => ({
    id: stream.id,
    hashtag: stream.hashtag,
    instance: stream.instance,
    ...pick(flow, metricsOf("stream")),
    approval_rate: percent(flow.approved, flow.decided),
    time_to_review: ofKey(reviews, String(stream.id)),
    time_to_delivery: ofKey(deliveries, String(stream.id)),
  }));
}

async function instanceFigures(range: DayRange): Promise<Overview["instances"]> {
  const rows = await instanceRows(range, INSTANCES);
  const keys = rows.map((row) => row.instance);
  const waits = await waitRows("review_wait", "host", keys, range);
  return rows.map((row) => ({
    instance: row.instance,
    ...pick(row, metricsOf("instance")),
    approval_rate: percent(row.approved, row.reviewed),
    time_to_review: ofKey(waits, row.instance),
  }));
}

async function authorFigures(range: DayRange, approved: number): Promise<Overview["authors"]> {
  const rows = await authorRows(range, AUTHORS);
  const share = (n: number) => Math.min(100, percent(n, approved));
  return {
    approved,
    top_1_share: share(rows[0]?.approvals ?? 0),
    top_10_share: share(rows.reduce((sum, row) => sum + row.approvals, 0)),
    top: rows.map((row) => ({
      author: `@${row.author_key}`,
      approved: row.approvals,
      share: share(row.approvals),
    })),
  };
}

function funnelOf(
  totals: Totals,
  reasons: readonly ReasonRow[],
  held: HeldPosts["held"],
): Overview["funnel"] {
  const of = (kind: ReasonRow["kind"]) =>
    reasons.filter((row) => row.kind === kind).map(({ reason, count }) => ({ reason, count }));
  return {
    dropped: of("dropped"),
    fetched: totals.fetched,
    auto_rejected: of("auto_rejected"),
    // Rejections by filters are listed above.
    reviewed: totals.decided,
    rejected: totals.rejected - totals.auto_rejected,
    approved: totals.approved,
    trimmed: totals.trimmed,
    errors: of("errors"),
    delivered: totals.delivered,
    held_now: held,
  };
}
