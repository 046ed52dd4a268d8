import type { Metadata } from "next";
import { cache } from "react";
import { HeldPanel, QueueFigures, UpcomingPanel } from "#components/queue/queue-panels.tsx";
import { SectionHead } from "#components/shell/section-head.tsx";
import { reaches } from "#components/shell/roles.ts";
import { RefreshPage } from "#components/ui/refresh-page.tsx";
import { Slow } from "#components/ui/slow.tsx";
import { requireMember } from "#lib/accounts/current-member.ts";
import { getSettings } from "#lib/blocking/switches.ts";
import { queueOverview } from "#lib/queue/queue-overview.ts";
import { DeletionsMenu } from "./deletions.tsx";
import { ErrorGroups } from "./error-groups.tsx";
import { PausedNotice } from "./paused-notice.tsx";

export const metadata: Metadata = { title: "Queue" };

/** One read for all panels of a page. */
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
            <Slow failed="The menu could not be loaded" rows={0}>
              <Menu isPaused={isPaused} />
            </Slow>
          ) : null
        }
      />
      <div className="space-y-6">
        {isPaused ? <PausedNotice /> : null}
        <Slow failed="The figures could not be loaded" rows={2}>
          <Figures />
        </Slow>
        <Slow failed="The errors could not be loaded" rows={0}>
          <ErrorGroups />
        </Slow>
        <Slow failed="The queue could not be loaded" rows={12}>
          <Lists mayReview={reaches(role, "reviewer")} />
        </Slow>
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
