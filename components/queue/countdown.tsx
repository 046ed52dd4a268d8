"use client";
import { useSyncExternalStore } from "react";
import { formatDuration } from "#components/format.ts";

const TICK_MS = 1000;
const listeners = new Set<() => void>();
let now = 0;
let timer: ReturnType<typeof setInterval> | undefined;

// One timer for all countdowns of the page.
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  now = Date.now();
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

export interface CountdownProps {
  /** ISO; null counts as over. */
  until: string | null;
  left: (time: string) => string;
  over: string;
}

/** The server's clock may differ, so it is empty until scripts run. */
export function Countdown({ until, left, over }: CountdownProps) {
  const at = useSyncExternalStore(
    subscribe,
    () => now,
    () => 0,
  );
  if (at === 0) return null;
  const seconds = until === null ? 0 : Math.ceil((Date.parse(until) - at) / 1000);
  return seconds > 0 ? left(clock(seconds)) : over;
}

/** Under an hour as "4:05". */
function clock(seconds: number): string {
  if (seconds < 60 || seconds >= 3600) return formatDuration(seconds);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
