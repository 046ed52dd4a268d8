import type { Metadata } from "next";
import { StatisticsBoard } from "#components/statistics/statistics-board.tsx";
import { requireMember } from "#lib/accounts/current-member.ts";
import { getOverview } from "#lib/stats/get-overview.ts";
import { getErrorStats, getStats } from "#lib/stats/get-stats.ts";
import { OverviewQuery } from "#lib/stats/overview-schema.ts";

export const metadata: Metadata = { title: "Statistics" };

export default async function StatisticsPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  await requireMember();
  const { days: asked } = await searchParams;
  // An invalid address shows the default.
  const { data } = OverviewQuery.safeParse({ days: asked });
  const { days: length } = data ?? OverviewQuery.parse({});
  const [overview, { all_time: ever }, errors] = await Promise.all([
    getOverview(length),
    getStats(),
    getErrorStats(),
  ]);
  return (
    <StatisticsBoard
      length={length}
      decided={ever.approved + ever.rejected - ever.auto_rejected}
      overview={overview}
      errors={errors}
    />
  );
}
