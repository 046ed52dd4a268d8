import type { Metadata } from "next";
import { cache } from "react";
import { HeldPanel, QueueFigures, UpcomingPanel } from "#components/queue/queue-panels.tsx";
import { SectionHead } from "#components/shell/section-head.tsx";
import { reaches } from "#components/shell/roles.ts";
import { RefreshPage } from "#components/ui/refresh-page.tsx";
import { AsyncBoundary } from "#components/ui/async-boundary.tsx";
import { requireMember } from "#lib/accounts/current-member.ts";
import { getSettings } from "#lib/blocking/switches.ts";
import { queueOverview } from "#lib/queue/queue-overview.ts";
import { DeletionsMenu } from "./deletions.tsx";
import { ErrorGroups } from "./error-groups.tsx";
import { PausedNotice } from "./paused-notice.tsx";

export const metadata: Metadata = { title: "Queue" };

/** Read once per page, for all its panels. */
const readQueue = cache(queueOverview);

export default async function QueuePage() {
  const { role } = await requireMember();
  const { deliveries_paused: isPaused } = await getSettings();
  return (
    <>
      <RefreshPage every={10_000} />
      <SectionHead
        section="Queue"
        current="/queue"
        actions={
          reaches(role, "admin") ? (
            <AsyncBoundary failed="The menu could not be loaded" rows={0}>
              <Menu isPaused={isPaused} />
            </AsyncBoundary>
          ) : null
        }
      />
      <div className="space-y-6">
        {isPaused ? <PausedNotice /> : null}
        <AsyncBoundary failed="The figures could not be loaded" rows={2}>
          <Figures />
        </AsyncBoundary>
        <AsyncBoundary failed="The errors could not be loaded" rows={0}>
          <ErrorGroups />
        </AsyncBoundary>
        <AsyncBoundary failed="The queue could not be loaded" rows={12}>
          <Lists mayReview={reaches(role, "reviewer")} />
        </AsyncBoundary>
      </div>
    </>
  );
}

async function Menu({ isPaused }: { isPaused: boolean }) {
  return <DeletionsMenu paceDays={(await readQueue()).pace_days} isPaused={isPaused} />;
}

async function Figures() {
  return <QueueFigures overview={await readQueue()} />;
}

async function Lists({ mayReview }: { mayReview: boolean }) {
  const { upcoming, counts, held, refused } = await readQueue();
  return (
    <>
      <HeldPanel held={held} refused={refused} />
      <UpcomingPanel posts={upcoming} pending={counts.pending} mayReview={mayReview} />
    </>
  );
}
