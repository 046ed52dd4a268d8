import { isoTimes, toIso } from "#lib/base/clock.ts";
import { compactBeforeRead } from "#lib/base/tally.ts";
import { addDays, startOf } from "#lib/base/today.ts";
import { queueSupply } from "#lib/queue/queue-overview.ts";
import { arrivalsOf, metricsOf, percent } from "./metrics-schema.ts";
import type { Day, Overview } from "./overview-schema.ts";
import {
  authorRows,
  botRows,
  consumingKeys,
  instanceRows,
  rejectReasonRows,
  reviewerRows,
  streamRows,
} from "./overview-sql.ts";
import { dayRows, lastDays } from "./sql.ts";

const REVIEWERS = 50;
const STREAMS = 50;
const INSTANCES = 20;
const AUTHORS = 20;

/**
 * Figures of the last days. Deleted posts stay counted, but for the figures of authors.
 *
 * @param days number of days in TIME_ZONE, today included
 */
export async function getOverview(days: number): Promise<Overview> {
  await compactBeforeRead();
  const range = lastDays(days);
  const [since, until] = [startOf(range.from), new Date(startOf(addDays(range.to, 1)).getTime() - 1)];
  const [rows, queue, reasons, reviewers, streams, instances, authors, bots] = await Promise.all([
    dayRows(range, metricsOf("day")),
    queueSupply(),
    rejectReasonRows(range),
    reviewerRows(range, REVIEWERS),
    streamRows(range, STREAMS),
    instanceRows(range, INSTANCES),
    authorRows({ since, until }, AUTHORS),
    botRows(range),
  ]);
  return {
    range: { since: toIso(since), until: toIso(until) },
    days: rows,
    totals: withRate(totalsOf(rows)),
    runway: {
      supply: queue.supply,
      deliveries_per_day: queue.deliveries_per_day,
      approvals_per_day: queue.approvals_per_day,
      pace_days: queue.pace_days,
      days: queue.runway_days,
      runs_dry_at: queue.runs_dry_at,
      with_approvals_days: queue.with_approvals_days,
    },
    reject_reasons: reasons,
    streams: streams.map(withRate),
    instances: instances.map(withRate),
    authors: authors.map(withRate),
    reviewers: reviewers.map(withRate),
    bots: bots.map(isoTimes),
  };
}

export interface Today {
  /** First moment of the day, ISO. */
  since: string;
  /** Fetched posts that no filter rejected. */
  arrivals: number;
  decided: number;
  delivered: number;
}

/** Figures of the present day in TIME_ZONE. */
export async function getToday(): Promise<Today> {
  await compactBeforeRead();
  const range = lastDays(1);
  const [day] = await dayRows(range, metricsOf("day"));
  const { decided, delivered } = day as Day;
  return { since: toIso(startOf(range.to)), arrivals: arrivalsOf(day as Day), decided, delivered };
}

/** Deliveries and errors of the bots in the last `days` days. */
export async function listBotFigures(days: number) {
  await compactBeforeRead();
  return botRows(lastDays(days));
}

/** Keys that received posts in the last 28 days. */
export async function listConsumingKeys(): Promise<number[]> {
  await compactBeforeRead();
  return consumingKeys(lastDays(28));
}

function totalsOf(days: readonly Day[]): Omit<Day, "date"> {
  const sum = (name: keyof Omit<Day, "date">) => days.reduce((all, day) => all + day[name], 0);
  return Object.fromEntries(metricsOf("day").map((name) => [name, sum(name)])) as Omit<Day, "date">;
}

function withRate<Row extends { approved: number; decided: number }>(row: Row) {
  return { ...row, approval_rate: percent(row.approved, row.decided) };
}
