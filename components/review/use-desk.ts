"use client";
import { useEffect, useRef, useState } from "react";
import type { Outbox } from "#lib/client/desk/outbox.ts";
import { releaseCards } from "#lib/client/desk/release-cards.ts";
import { emptyDesk, type DeskState } from "#lib/client/desk/state.ts";
import { DeskStore } from "#lib/client/desk/store.ts";
import { outboxOf } from "#lib/client/desk/use-outbox.ts";
import { useStore } from "#lib/client/use-store.ts";
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
