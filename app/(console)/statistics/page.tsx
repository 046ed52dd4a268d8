import type { Metadata } from "next";
import { StatisticsBoard } from "#components/statistics/statistics-board.tsx";
import { words } from "#components/words/en.ts";
import { requireMember } from "#lib/auth/current-member.ts";
import { getDailyStats, getErrorStats, getStats } from "#lib/stats/get-stats.ts";
import { getOverview } from "#lib/stats/get-overview.ts";
import { OverviewQuery } from "#lib/stats/overview-schema.ts";

export const metadata: Metadata = { title: words.statistics.title };

const LONGEST = 365;

export default async function StatisticsPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  await requireMember();
  const { from, to } = await searchParams;
  const one = (value: string | string[] | undefined) => (typeof value === "string" ? value : undefined);
  // An invalid address shows the last seven days.
  const asked = OverviewQuery.safeParse({ from: one(from), to: one(to) });
  const range = asked.success ? asked.data : OverviewQuery.parse({});
  const [overview, stats, daily, errors] = await Promise.all([
    getOverview(range),
    getStats(),
    getDailyStats(LONGEST),
    getErrorStats(),
  ]);
  const days = daily.days.filter((day) => day.date >= range.from && day.date <= range.to);
  return <StatisticsBoard range={range} overview={overview} stats={stats} days={days} errors={errors} />;
}
