"use client";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { enterDesk, releaseCards } from "#lib/desk/presence.ts";
import { emptyDesk, type DeskState } from "#lib/desk/state.ts";
import { DeskStore } from "#lib/desk/store.ts";
import type { Outbox } from "#lib/desk/outbox.ts";
import { outboxOf } from "#lib/desk/use-outbox.ts";
import type { RecentDecision } from "#lib/review/decision-schema.ts";

export interface Desk {
  store: DeskStore;
  outbox: Outbox;
}

/** Created in the browser and closed with the page. */
export function useDesk(memberId: number, recent: readonly RecentDecision[], query: string): Desk | null {
  const [desk, setDesk] = useState<Desk | null>(null);
  const first = useRef(recent);
  const opened = useRef<Desk | null>(null);
  useEffect(() => {
    const outbox = outboxOf(memberId);
    const store = new DeskStore(outbox, first.current);
    const leave = enterDesk(memberId);
    // The server has no browser storage.

    setDesk({ store, outbox });
    return () => {
      store.close();
      void releaseCards(memberId, outbox, leave);
    };
  }, [memberId]);
  useEffect(() => {
    if (!desk) return;
    if (opened.current === desk) void releaseCards(memberId, desk.outbox);
    opened.current = desk;
    desk.store.open(query);
  }, [desk, memberId, query]);
  return desk;
}

export function useDeskState(desk: Desk | null): DeskState {
  return useSyncExternalStore(
    desk?.store.subscribe ?? never,
    desk?.store.getState ?? serverSnapshot,
    serverSnapshot,
  );
}

const never = () => () => undefined;
const serverSnapshot = () => emptyDesk;
