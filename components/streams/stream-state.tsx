import { StatePill } from "#components/ui/badge.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import type { Stream } from "#lib/collect/stream-schema.ts";

export function StreamState({ stream }: { stream: Stream }) {
  const { state, failing_since: since } = stream;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5">
      <StatePill state={state} title={stream.last_error ?? undefined} />
      {state === "failing" && since !== null ? (
        <span className="text-12 whitespace-nowrap text-muted">
          since <RelativeTime at={since} />
        </span>
      ) : null}
    </span>
  );
}
