import { toIso } from "#lib/base/clock.ts";
import { shortenTally } from "#lib/base/tally.ts";
import { addDays, startOf } from "#lib/base/today.ts";
import { forecastQueue } from "#lib/queue/forecast-queue.ts";
import { countHeldPosts } from "#lib/queue/held-posts.ts";
import { listRejectReasons } from "#lib/review/reject-reasons.ts";
import { metricsOf, percent } from "./metrics-schema.ts";
import type { BotFigures, Day, Overview } from "./overview-schema.ts";
import {
  authorRows,
  botRows,
  consumingKeys,
  instanceRows,
  rejectReasonRows,
  reviewerRows,
  streamRows,
} from "./overview-sql.ts";
import { dayRows, lastDays, streamCountRows, type DayRange } from "./sql.ts";

const REVIEWERS = 50;
const STREAMS = 50;
const INSTANCES = 20;
const AUTHORS = 20;

/**
 * Deleted posts stay counted.
 *
 * @param days the last days in TIME_ZONE, today included
 */
export async function getOverview(days: number): Promise<Overview> {
  await shortenTally();
  const range = lastDays(days);
  const [since, until] = [startOf(range.from), new Date(startOf(addDays(range.to, 1)).getTime() - 1)];
  const [rows, heldPosts, reasons, reviewers, streams, instances, authors, bots] = await Promise.all([
    dayRows(range, metricsOf("day")),
    countHeldPosts(),
    rejectReasonFigures(range),
    reviewerRows(range, REVIEWERS),
    streamFigures(range),
    instanceRows(range, INSTANCES),
    authorRows({ since, until }, AUTHORS),
    botRows(range),
  ]);
  const runway = await forecastQueue(heldPosts);
  return {
    range: { since: toIso(since), until: toIso(until) },
    days: rows,
    totals: withRate(totalsOf(rows)),
    runway,
    reject_reasons: reasons,
    streams,
    instances: instances.map(withRate),
    authors: authors.map(({ author_key, ...row }) => withRate({ author: `@${author_key}`, ...row })),
    reviewers: reviewers.map(({ reviewer_id, ...row }) =>
      withRate({ member_id: reviewer_id === 0 ? null : reviewer_id, ...row }),
    ),
    bots: bots.map((row) => ({ ...row, last_asked_at: toIso(row.last_asked_at) })),
  };
}

/** The figures of today, of the two days before and the decisions of all time on Home. */
export interface Today {
  /** First moment of the day, ISO. */
  since: string;
  /** Fetched posts that no filter rejected. */
  arrivals: number;
  decided: number;
  approved: number;
  delivered: number;
  /** Today and on the two days before. */
  recent_deliveries: number;
}

export async function getToday(): Promise<Today> {
  await shortenTally();
  const range = lastDays(3);
  const days = await dayRows(range, metricsOf("day"));
  const { fetched, auto_rejected, decided, approved, delivered } = days.at(-1) as Day;
  return {
    since: toIso(startOf(range.to)),
    // A block that is set today rejects posts of earlier days, too.
    arrivals: Math.max(0, fetched - auto_rejected),
    decided,
    approved,
    delivered,
    recent_deliveries: days.reduce((sum, day) => sum + day.delivered, 0),
  };
}

/** Deliveries and errors of a key in the last `days` days. */
export async function getBotTotals(
  keyId: number,
  days: number,
): Promise<Pick<BotFigures, "delivered" | "errors">> {
  await shortenTally();
  const [row] = await botRows(lastDays(days), keyId);
  return row ?? { delivered: 0, errors: 0 };
}

/** Keys that received posts in the last 28 days. */
export async function listConsumingKeys(): Promise<number[]> {
  await shortenTally();
  return consumingKeys(lastDays(28));
}

function totalsOf(days: readonly Day[]): Omit<Day, "date"> {
  const sum = (name: keyof Omit<Day, "date">) => days.reduce((all, day) => all + day[name], 0);
  return Object.fromEntries(metricsOf("day").map((name) => [name, sum(name)])) as Omit<Day, "date">;
}

function withRate<Row extends { approved: number; decided: number }>(row: Row) {
  return { ...row, approval_rate: percent(row.approved, row.decided) };
}

async function rejectReasonFigures(range: DayRange): Promise<Overview["reject_reasons"]> {
  const [rows, reasons] = await Promise.all([rejectReasonRows(range), listRejectReasons()]);
  const labels = new Map(reasons.map(({ id, label }) => [id, label]));
  return rows.map(({ id, count }) => ({ id: id === 0 ? null : id, label: labels.get(id) ?? null, count }));
}

const none = { fetched: 0, decided: 0, approved: 0, delivered: 0, errors: 0 };

async function streamFigures(range: DayRange): Promise<Overview["streams"]> {
  const [rows, counts] = await Promise.all([streamRows(range), streamCountRows()]);
  const current = new Map(rows.map(({ stream_id, ...row }) => [stream_id, row]));
  return counts
    .map(({ id, hashtag, instance }) => withRate({ id, hashtag, instance, ...(current.get(id) ?? none) }))
    .sort((a, b) => b.fetched - a.fetched || a.id - b.id)
    .slice(0, STREAMS);
}
