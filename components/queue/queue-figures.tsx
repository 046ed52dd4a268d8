import { Stat, StatRow } from "#components/ui/stat.tsx";
import { formatCount, formatDuration } from "#components/format.ts";
import type { QueueOverview } from "#lib/queue/overview-schema.ts";

export function QueueFigures({ overview }: { overview: QueueOverview }) {
  const { counts, all_time: ever, runway_days: runway } = overview;
  return (
    <StatRow>
      <Stat
        figure="available"
        label="Ready"
        value={overview.available}
        hint={`of ${formatCount(counts.pending)} pending`}
        href="/posts?queue_status=ready"
      />
      <Stat
        figure="reserved"
        label="Reserved"
        value={counts.reserved}
        hint={`${formatCount(ever.nacks)} returned, ${formatCount(ever.timeouts)} timed out`}
        href="/posts?queue_status=with_bot"
      />
      <Stat
        figure="stored_delivered"
        label="Delivered"
        value={counts.delivered}
        hint={`${formatCount(ever.delivered)} in total`}
        href="/posts?queue_status=delivered"
      />
      <Stat
        figure="stored_errors"
        label="Errors"
        value={counts.error}
        hint={`${formatCount(ever.errors)} in total`}
        href="/posts?queue_status=error"
      />
      <Stat
        figure="runway_days"
        label="Lasts"
        value={runway === null ? "–" : formatDuration(runway * 86_400)}
        hint={
          runway === null
            ? "no delivery in the last four weeks"
            : `at ${formatCount(overview.deliveries_per_day)} a day`
        }
        className="max-desk:col-span-2"
      />
    </StatRow>
  );
}
