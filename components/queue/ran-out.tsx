import { RelativeTime } from "#components/ui/relative-time.tsx";

/** Note at an expired reservation, which is swept by the next request of a boost bot. */
export function RanOut({ at }: { at: string }) {
  return (
    <span className="block text-12 font-normal whitespace-normal text-muted">
      reservation ran out <RelativeTime at={at} />, returned when a bot asks
    </span>
  );
}
