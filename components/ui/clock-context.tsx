"use client";
import { createContext, useContext, useMemo, useSyncExternalStore, type ReactNode } from "react";

interface Clock {
  timeZone: string;
  /** Milliseconds, repeated by hydration. */
  renderedAt: number;
}

const ClockContext = createContext<Clock>({ timeZone: "UTC", renderedAt: 0 });

/** `renderedAt`: ISO time. */
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

/** IANA name. */
export function useTimeZone(): string {
  return useContext(ClockContext).timeZone;
}

const TICK_MS = 15_000;
const listeners = new Set<() => void>();
let tickedAt = 0;
let timer: ReturnType<typeof setInterval> | undefined;

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
  // Constant between ticks, or React would render endlessly.
  const now = Date.now();
  if (now - tickedAt > TICK_MS) tickedAt = now;
  return tickedAt;
}

/** Milliseconds, in steps of 15 seconds. During hydration the server's time. */
export function useNow(): number {
  const { renderedAt } = useContext(ClockContext);
  return useSyncExternalStore(subscribe, readTick, () => renderedAt);
}
