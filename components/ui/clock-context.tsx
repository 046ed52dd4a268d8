import { createContext, useContext, useMemo, useSyncExternalStore, type ReactNode } from "react";

interface Clock {
  timeZone: string;
  /** Milliseconds. Hydration uses the same time as the server. */
  renderedAt: number;
}

const ClockContext = createContext<Clock>({ timeZone: "UTC", renderedAt: 0 });

/** Time zone and clock of the page. @param renderedAt ISO time of the server's rendering */
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

/** The member's time zone, as an IANA name. */
export function useTimeZone(): string {
  return useContext(ClockContext).timeZone;
}

const TICK_MS = 15_000;

function subscribe(listener: () => void): () => void {
  const timer = setInterval(listener, TICK_MS);
  return () => clearInterval(timer);
}

/** Rounded, because a snapshot that changes with each call would render endlessly. */
const readNow = () => Math.floor(Date.now() / TICK_MS) * TICK_MS;

/** The current time in milliseconds, in steps of 15 seconds. During hydration it is the server's time. */
export function useNow(): number {
  const { renderedAt } = useContext(ClockContext);
  return useSyncExternalStore(subscribe, readNow, () => renderedAt);
}
