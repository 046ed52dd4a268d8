import type { Metadata } from "next";
import { PausedNotice } from "#components/queue/paused-notice.tsx";
import { QueueActions } from "#components/queue/queue-actions.tsx";
import { QueueBoard } from "#components/queue/queue-board.tsx";
import { QueueHead } from "#components/queue/queue-head.tsx";
import { requireMember } from "#lib/accounts/current-member.ts";
import { getSettings } from "#lib/blocking/settings.ts";
import { readPreferences } from "#lib/client/desk/preferences.ts";
import { queueOverview } from "#lib/queue/queue-overview.ts";
import { listFailedPosts } from "#lib/review/failed-posts.ts";
import { getErrorStats } from "#lib/stats/get-stats.ts";

export const metadata: Metadata = { title: "Queue" };

export default async function QueuePage() {
  const member = await requireMember();
  const [overview, errors, failed, { deliveries_paused: isPaused }] = await Promise.all([
    queueOverview(),
    getErrorStats(),
    listFailedPosts({ limit: 50 }),
    getSettings(),
  ]);
  return (
    <>
      <QueueHead
        current="/queue"
        actions={<QueueActions paceDays={overview.pace_days} isPaused={isPaused} />}
      />
      {isPaused ? (
        <div className="mb-6">
          <PausedNotice />
        </div>
      ) : null}
      <QueueBoard
        overview={overview}
        errors={errors}
        failed={failed}
        cover={readPreferences(member.preferences).cover}
      />
    </>
  );
}
