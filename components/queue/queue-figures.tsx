import { Stat, StatRow } from "#components/ui/stat.tsx";
import { words } from "#components/words/en.ts";
import { formatCount, formatDuration } from "#components/words/format.ts";
import type { QueueOverview } from "#lib/queue/overview-schema.ts";

export function QueueFigures({ overview }: { overview: QueueOverview }) {
  const { counts, all_time: ever, runway_days: runway } = overview;
  const w = words.queue;
  return (
    <StatRow>
      <Stat
        figure="available"
        label={w.ready}
        value={overview.available}
        hint={w.ofPending(formatCount(counts.pending))}
        href="/posts?queue_status=ready"
      />
      <Stat
        figure="reserved"
        label={w.reserved}
        value={counts.reserved}
        hint={w.nackedTimedOut(formatCount(ever.nacks), formatCount(ever.timeouts))}
        href="/posts?queue_status=with_bot"
      />
      <Stat
        figure="stored_delivered"
        label={w.delivered}
        value={counts.delivered}
        hint={w.allTime(formatCount(ever.delivered))}
        href="/posts?queue_status=delivered"
      />
      <Stat
        figure="stored_errors"
        label={w.errors}
        value={counts.error}
        hint={w.allTime(formatCount(ever.errors))}
        href="/posts?queue_status=error"
      />
      <Stat
        figure="runway_days"
        label={w.runway}
        value={runway === null ? "–" : formatDuration(runway * 86_400)}
        hint={runway === null ? w.runwayNone : w.runwayPace(formatCount(overview.deliveries_per_day))}
        className="max-desk:col-span-2"
      />
    </StatRow>
  );
}
