"use client";
import { BarList } from "#components/charts/bar-list.tsx";
import { Panel } from "#components/ui/card.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { withQuery } from "#lib/client/query-string.ts";
import type { ErrorStats } from "#lib/stats/schema.ts";

const REASONS = 5;

/** Failed deliveries by reason; /queue has what to do with them. */
export function ErrorsPanel({ groups }: { groups: ErrorStats["groups"] }) {
  return (
    <Panel title="Failed deliveries" id="errors">
      {groups.length === 0 ? (
        <EmptyState title="No errors" className="py-4" />
      ) : (
        <BarList
          label="Failed deliveries"
          nameLabel="Reason"
          valueLabel="Posts"
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
