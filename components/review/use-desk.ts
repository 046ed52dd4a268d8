"use client";
import { useEffect, useRef, useState } from "react";
import { useStore } from "#lib/client/use-store.ts";
import { releaseCards } from "#lib/desk/release-cards.ts";
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
    // The server has no browser storage.

    setDesk({ store, outbox });
    return () => {
      store.close();
      releaseCards(outbox);
    };
  }, [memberId]);
  useEffect(() => {
    if (!desk) return;
    if (opened.current === desk) releaseCards(desk.outbox);
    opened.current = desk;
    desk.store.open(query);
  }, [desk, query]);
  return desk;
}

export function useDeskState(desk: Desk | null): DeskState {
  return useStore(desk?.store, emptyDesk);
}
