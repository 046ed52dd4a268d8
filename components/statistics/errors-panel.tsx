"use client";
import { BarList } from "#components/charts/bar-list.tsx";
import { Panel } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { words } from "#components/words/en.ts";
import { withQuery } from "#lib/client/query-string.ts";
import type { ErrorStats } from "#lib/stats/schema.ts";

const w = words.statistics;
const REASONS = 5;

/** Failed deliveries by reason; /queue has what to do with them. */
export function ErrorsPanel({ groups }: { groups: ErrorStats["groups"] }) {
  return (
    <Panel title={w.failed} id="errors">
      {groups.length === 0 ? (
        <EmptyState title={words.queue.errorsEmpty} className="py-4" />
      ) : (
        <BarList
          label={w.failed}
          nameLabel={w.reason}
          valueLabel={w.posts}
          tone="warn"
          items={groups.slice(0, REASONS).map(({ reason, count }) => ({
            key: reason,
            name: reason,
            value: count,
            href: "/queue#errors",
            listHref: withQuery("/posts", { queue_status: "error", error_reason: reason }),
          }))}
        />
      )}
    </Panel>
  );
}
