import type { Metadata } from "next";
import { BarList } from "#components/charts/bar-list.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { reaches } from "#components/shell/roles.ts";
import { BotsPanel, ChoicePanel, KeepUpPanel, SupplyPanel } from "#components/statistics/answers.tsx";
import { Breakdown } from "#components/statistics/breakdown.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Card, Panel } from "#components/ui/card.tsx";
import { RefreshPage } from "#components/ui/refresh-page.tsx";
import { Link } from "#components/ui/link.tsx";
import { AsyncBoundary } from "#components/ui/async-boundary.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { LinkTabs } from "#components/ui/tabs.tsx";
import { requireMember } from "#lib/accounts/current-member.ts";
import { now } from "#lib/base/clock.ts";
import { withQuery } from "#lib/client/query-string.ts";
import { getOverview } from "#lib/stats/get-overview.ts";
import { getErrorStats, getStats } from "#lib/stats/get-stats.ts";
import { OverviewQuery } from "#lib/stats/overview-schema.ts";
import { DuplicatesPanel } from "./duplicates-panel.tsx";

export const metadata: Metadata = { title: "Statistics" };

/** With fewer decisions, percentages mean nothing. */
const MIN_DECISIONS = 30;
const MAX_REASONS = 5;

export default async function StatisticsPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { role } = await requireMember();
  const { days: asked, by: askedBy } = await searchParams;
  const by = [askedBy].flat()[0];
  // An invalid address shows the default.
  const { days } = OverviewQuery.safeParse({ days: asked }).data ?? OverviewQuery.parse({});
  const { all_time: ever } = await getStats();
  const decided = ever.approved + ever.rejected - ever.auto_rejected;
  return (
    <>
      <RefreshPage every={30_000} />
      <PageHeader title="Statistics">
        {decided >= MIN_DECISIONS ? (
          <LinkTabs
            label="Range"
            tabs={[7, 30, 90].map((length) => ({
              href: withQuery("/statistics", { days: length, by }),
              label: `${length} days`,
              current: length === days,
            }))}
          />
        ) : null}
      </PageHeader>
      <div className="space-y-4">
        {decided >= MIN_DECISIONS ? (
          <AsyncBoundary key={days} failed="The statistics could not be loaded" rows={20}>
            <Answers days={days} by={by} />
          </AsyncBoundary>
        ) : (
          <Card className="flex flex-wrap items-center gap-4 px-4 py-3">
            <p className="min-w-0 flex-1 basis-52 text-14">
              Statistics start with {MIN_DECISIONS} decisions. So far: {decided}.
            </p>
            {reaches(role, "reviewer") ? <ButtonLink href="/review">Review</ButtonLink> : null}
          </Card>
        )}
        {decided >= MIN_DECISIONS ? null : (
          <AsyncBoundary failed="The failed deliveries could not be loaded">
            <FailuresPanel />
          </AsyncBoundary>
        )}
        <AsyncBoundary failed="The duplicates could not be loaded">
          <DuplicatesPanel />
        </AsyncBoundary>
      </div>
    </>
  );
}

async function Answers({ days, by }: { days: number; by: string | undefined }) {
  const [{ id, role, time_zone }, overview] = await Promise.all([requireMember(), getOverview(days)]);
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 wide:grid-cols-2">
        <div className="space-y-4">
          <SupplyPanel overview={overview} timeZone={time_zone} />
          <ChoicePanel overview={overview} />
          <FailuresPanel />
        </div>
        <div className="space-y-4">
          <KeepUpPanel overview={overview} />
          <BotsPanel overview={overview} now={now().getTime()} isAdmin={role === "admin"} />
        </div>
      </div>
      <Breakdown overview={overview} memberId={id} by={by} />
    </>
  );
}

/** Failed deliveries by reason. The queue page has actions for them. */
async function FailuresPanel() {
  const { groups } = await getErrorStats();
  return (
    <Panel
      title="Failed deliveries"
      id="errors"
      actions={
        groups.length > MAX_REASONS ? (
          <Link href="/queue#errors" className="text-13">
            All {groups.length} reasons
          </Link>
        ) : null
      }
    >
      {groups.length === 0 ? (
        <EmptyState title="No errors" className="py-4" />
      ) : (
        <BarList
          label="Failed deliveries"
          tone="warn"
          items={groups.slice(0, MAX_REASONS).map(({ reason, count }) => ({
            key: reason,
            name: reason,
            value: count,
            href: withQuery("/posts", { queue_status: "error", error_reason: reason }),
          }))}
        />
      )}
    </Panel>
  );
}
