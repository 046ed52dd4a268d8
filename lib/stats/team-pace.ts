import { now } from "#lib/clock.ts";
import { addDays } from "./overview-schema.ts";
import { consumingKeys, filteredRows, paceRows } from "./pace-sql.ts";
import { dayRows } from "./sql.ts";
import { compactFigures } from "./stored-figures.ts";

const REVIEWERS = 8;
const HOUR_MS = 3_600_000;

export interface ReviewerPace {
  /** Null if the member was deleted. */
  member_id: number | null;
  reviewer: string;
  /** The last 60 minutes. */
  last_hour: number;
  today: number;
  /** Seven days, today included. */
  week: number;
  /** Days of the range since the member was added. */
  days: number;
}

export interface DayPace {
  date: string;
  /** Fetched posts that no filter rejected. */
  arrivals: number;
  /** Fetched posts that a filter rejected. */
  filtered: number;
  /** Approvals and rejections by people and API keys. */
  decisions: number;
}

export interface TeamPace {
  reviewers: ReviewerPace[];
  /** Seven days, oldest first, today last. */
  days: DayPace[];
  today: DayPace & { approved: number; delivered: number };
  /** ISO; start of the last hour. */
  hour_from: string;
  /** Keys that received posts in the last 28 days. */
  consuming_keys: number[];
  /** Today and on the two days before. */
  recent_deliveries: number;
}

/** Keys that received posts in the last 28 days. @param today UTC, `YYYY-MM-DD` */
export function listConsumingKeys(today = now().toISOString().slice(0, 10)): Promise<number[]> {
  return consumingKeys(addDays(today, -27));
}

/**
 * Decisions count as in the statistics of reviewers: at the time of the standing review.
 *
 * @param today UTC, `YYYY-MM-DD`
 */
export async function getTeamPace(today: string): Promise<TeamPace> {
  await compactFigures(new Date(Date.now() + 1000));
  const from = addDays(today, -6);
  const [reviewers, rows, filteredByDay, consuming_keys] = await Promise.all([
    paceRows(today, REVIEWERS),
    dayRows({ from, to: today }, ["fetched", "decided", "approved", "delivered"]),
    filteredRows(from, today),
    listConsumingKeys(today),
  ]);
  const days = rows.map(({ date, fetched, decided, approved, delivered }) => {
    const filtered = filteredByDay.find((day) => day.date === date)?.n ?? 0;
    return { date, arrivals: fetched - filtered, filtered, decisions: decided, approved, delivered };
  });
  return {
    reviewers: reviewers.map(({ reviewer_id: id, ...row }) => ({ member_id: id === 0 ? null : id, ...row })),
    days,
    today: days[days.length - 1] as (typeof days)[number],
    hour_from: new Date(now().getTime() - HOUR_MS).toISOString(),
    consuming_keys,
    recent_deliveries: days.slice(-3).reduce((sum, row) => sum + row.delivered, 0),
  };
}
