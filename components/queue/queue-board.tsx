"use client";
import { DuplicatesPanel } from "#components/statistics/duplicates-panel.tsx";
import type { Cover } from "#components/ui/media-thumb.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import { useApi } from "#lib/client/use-api.ts";
import type { QueueOverview } from "#lib/queue/overview-schema.ts";
import type { FailedPosts } from "#lib/review/failed-schema.ts";
import type { ErrorStats } from "#lib/stats/schema.ts";
import { ErrorGroups } from "./error-groups.tsx";
import { HeldPanel } from "./held-panel.tsx";
import { QueueFigures } from "./queue-figures.tsx";
import { RefusedPanel } from "./refused-panel.tsx";
import { ReservationsPanel } from "./reservations-panel.tsx";
import { UpcomingPanel } from "./upcoming-panel.tsx";

const REFRESH_MS = 10_000;

export interface QueueBoardProps {
  overview: QueueOverview;
  errors: ErrorStats;
  failed: FailedPosts;
  /** The member's choice for media that start covered. */
  cover: Cover;
}

export function QueueBoard({ overview, errors, failed: failedPosts, cover }: QueueBoardProps) {
  const queue = useApi<QueueOverview>("/curated/overview", { fallback: overview, refreshEvery: REFRESH_MS });
  const failed = useApi<ErrorStats>("/stats/errors", { fallback: errors, refreshEvery: REFRESH_MS * 3 });
  if (queue.failure && !queue.data) {
    return (
      <ErrorState
        title="The queue could not be loaded"
        failure={queue.failure}
        onRetry={() => void queue.reload()}
        retrying={queue.refreshing}
      />
    );
  }
  const now = queue.data ?? overview;
  const failures = failed.data ?? errors;
  const hasErrors = failures.groups.length > 0;
  const hasHeld = now.held.length > 0;
  const held = <HeldPanel counts={now.held} posts={now.held_posts} />;
  const failedPanel = <ErrorGroups errors={failures} failed={failedPosts} cover={cover} />;
  return (
    <div className="space-y-6">
      <QueueFigures overview={now} />
      {hasErrors ? failedPanel : null}
      {failures.duplicates.length > 0 ? (
        <DuplicatesPanel duplicates={failures.duplicates} cover={cover} />
      ) : null}
      {hasHeld ? held : null}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 wide:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <UpcomingPanel posts={now.upcoming} pending={now.counts.pending} />
        <div className="space-y-6">
          <ReservationsPanel posts={now.reservations} />
          {now.refused.length > 0 ? <RefusedPanel posts={now.refused} /> : null}
        </div>
      </div>
      {hasErrors ? null : failedPanel}
      {hasHeld ? null : held}
    </div>
  );
}
