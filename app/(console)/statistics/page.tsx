import type { Metadata } from "next";
import { StatisticsBoard } from "#components/statistics/statistics-board.tsx";
import { formatShortDate } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import { requireMember } from "#lib/auth/current-member.ts";
import { getErrorStats, getStats, listDays } from "#lib/stats/get-stats.ts";
import { getOverview } from "#lib/stats/get-overview.ts";
import { OverviewQuery, type DayRange } from "#lib/stats/overview-schema.ts";

interface PageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ searchParams }: PageProps): Promise<Metadata> {
  const { from, to } = await rangeOf(searchParams);
  const { title, between } = words.statistics;
  return { title: `${title} · ${between(formatShortDate(from), formatShortDate(to))}` };
}

async function rangeOf(searchParams: PageProps["searchParams"]): Promise<DayRange> {
  const { from, to } = await searchParams;
  const one = (value: string | string[] | undefined) => (typeof value === "string" ? value : undefined);
  // An invalid address shows the last seven days.
  const asked = OverviewQuery.safeParse({ from: one(from), to: one(to) });
  return asked.success ? asked.data : OverviewQuery.parse({});
}

export default async function StatisticsPage({ searchParams }: PageProps) {
  await requireMember();
  const range = await rangeOf(searchParams);
  const [overview, stats, days, errors] = await Promise.all([
    getOverview(range),
    getStats(),
    listDays(range),
    getErrorStats(),
  ]);
  return <StatisticsBoard range={range} overview={overview} stats={stats} days={days} errors={errors} />;
}
