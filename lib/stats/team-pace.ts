import { allMetrics, arrivalsOf, type Metric } from "./metrics-schema.ts";
import { addDays } from "./overview-schema.ts";
import { paceRows } from "./pace-sql.ts";
import { dayRows } from "./sql.ts";
import { compactFigures } from "./stored-figures.ts";

const REVIEWERS = 8;

export interface ReviewerPace {
  /** Null: the member was deleted. */
  member_id: number | null;
  reviewer: string;
  /** The last 60 minutes. */
  last_hour: number;
  today: number;
  /** Seven days, today included. */
  week: number;
  /** Days of these since the member was added. */
  days: number;
}

export interface DayPace {
  date: string;
  /** Posts that came in and were not rejected by a filter. */
  arrivals: number;
  /** Approvals and rejections by people and API keys. */
  decisions: number;
}

export interface TeamPace {
  reviewers: ReviewerPace[];
  /** Seven days, oldest first, today last. */
  days: DayPace[];
  today: Record<Metric, number>;
  /** Today and on the two days before. */
  recent_deliveries: number;
}

/**
 * Decisions count as in the statistics of reviewers: at the time of the standing review.
 *
 * @param today UTC, `YYYY-MM-DD`
 */
export async function getTeamPace(today: string): Promise<TeamPace> {
  await compactFigures(new Date(Date.now() + 1000));
  const [reviewers, days] = await Promise.all([
    paceRows(today, REVIEWERS),
    dayRows({ from: addDays(today, -6), to: today }, allMetrics),
  ]);
  const { date: _date, ...metrics } = days[days.length - 1] as (typeof days)[number];
  return {
    reviewers: reviewers.map(({ reviewer_id: id, ...row }) => ({ member_id: id === 0 ? null : id, ...row })),
    days: days.map((row) => ({
      date: row.date,
      arrivals: arrivalsOf(row),
      decisions: row.decided,
    })),
    today: metrics,
    recent_deliveries: days.slice(-3).reduce((sum, row) => sum + row.delivered, 0),
  };
}
