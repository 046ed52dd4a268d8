"use client";
import { createContext, useContext, useMemo, useSyncExternalStore, type ReactNode } from "react";

interface Clock {
  timeZone: string;
  /** The server's time when the page was made, in ms: what hydration has to repeat. */
  renderedAt: number;
}

const ClockContext = createContext<Clock>({ timeZone: "UTC", renderedAt: 0 });

/** Tells everything below the profile's time zone and the moment the page was rendered (ISO). */
export function ClockProvider({
  timeZone,
  renderedAt,
  children,
}: {
  timeZone: string;
  renderedAt: string;
  children: ReactNode;
}) {
  const clock = useMemo(() => ({ timeZone, renderedAt: Date.parse(renderedAt) }), [timeZone, renderedAt]);
  return <ClockContext value={clock}>{children}</ClockContext>;
}

/** The profile's IANA time zone. */
export function useTimeZone(): string {
  return useContext(ClockContext).timeZone;
}

const TICK_MS = 15_000;
const listeners = new Set<() => void>();
let tickedAt = 0;
let timer: ReturnType<typeof setInterval> | undefined;

// One timer for all times on the page; it stops with the last of them.
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    tickedAt = Date.now();
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

function readTick(): number {
  // Between ticks the answer has to stay the same, or React would draw without end.
  const now = Date.now();
  if (now - tickedAt > TICK_MS) tickedAt = now;
  return tickedAt;
}

/** Now, in ms, to the quarter minute; during hydration the moment the server rendered at. */
export function useNow(): number {
  const { renderedAt } = useContext(ClockContext);
  return useSyncExternalStore(subscribe, readTick, () => renderedAt);
}
