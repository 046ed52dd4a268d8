"use client";
import { useNow } from "#components/ui/clock-context.tsx";
import { ClockTime, Expiry } from "#components/ui/relative-time.tsx";

const DAY_MS = 86_400_000;

/** Of an expired reservation, which the next request of a boost bot ends. */
export function RanOut({ at }: { at: string }) {
  const isOlder = useNow() - Date.parse(at) > DAY_MS;
  return (
    <span className="block text-12 font-normal whitespace-normal text-muted">
      {isOlder ? "ran out on" : "ran out at"} {isOlder ? <Expiry at={at} /> : <ClockTime at={at} />}, goes
      back when a bot asks
    </span>
  );
}
