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

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, TICK_MS);
  return () => clearInterval(timer);
}

/** Constant within a step, or React would render endlessly. */
const readNow = () => Math.floor(Date.now() / TICK_MS) * TICK_MS;

/** Milliseconds, in steps of 15 seconds. During hydration the server's time. */
export function useNow(): number {
  const { renderedAt } = useContext(ClockContext);
  return useSyncExternalStore(subscribe, readNow, () => renderedAt);
}
