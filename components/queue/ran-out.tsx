import { RelativeTime } from "#components/ui/relative-time.tsx";

/** Of an expired reservation, which the next request of a boost bot ends. */
export function RanOut({ at }: { at: string }) {
  return (
    <span className="block text-12 font-normal whitespace-normal text-muted">
      reservation ran out <RelativeTime at={at} />, returned when a bot asks
    </span>
  );
}
