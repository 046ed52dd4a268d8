import { StatePill } from "#components/ui/badge.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import type { SeenItem } from "#lib/client/desk/seen-before.ts";

export function SeenOutcome({ item }: { item: SeenItem }) {
  const state = seenState(item);
  return (
    <p className="flex flex-wrap items-center gap-x-1.5">
      <StatePill state={state} />
      {item.reviewed_at === null ? null : (
        <span>
          {state === "approved" || state === "rejected" ? null : "approved "}
          <RelativeTime at={item.reviewed_at} />
        </span>
      )}
    </p>
  );
}

/** After hand-out, the queue state. */
export function seenState({ approved, queue_status: queue }: SeenItem) {
  if (approved === null) return "unreviewed";
  if (!approved) return "rejected";
  return queue === null || queue === "pending" ? "approved" : queue;
}
