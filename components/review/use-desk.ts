import { useEffect, useRef, useState } from "react";
import { emptyDesk, type DeskState } from "#lib/client/desk/desk.ts";
import { outboxPrefix } from "#lib/client/desk/outbox-prefix.ts";
import type { Outbox, OutboxState } from "#lib/client/desk/outbox.ts";
import { DeskStore, releaseCards } from "#lib/client/desk/store.ts";
import { outboxOf } from "#lib/client/desk/shared-outbox.ts";
import { useStore } from "#lib/client/use-store.ts";
import type { RecentDecision } from "#lib/review/decision-schema.ts";

const CHECK_EVERY_MS = 15_000;
const idle: OutboxState = { status: "saved", waiting: 0, at_risk: false };

export interface Desk {
  store: DeskStore;
  outbox: Outbox;
}

/** The desk of a member: created in the browser, closed with the page. Null on the server, which has no storage. */
export function useDesk(
  memberId: number,
  recent: readonly RecentDecision[],
  query: string,
): { desk: Desk | null; state: DeskState; outbox: OutboxState } {
  const [desk, setDesk] = useState<Desk | null>(null);
  const first = useRef(recent);
  const opened = useRef<Desk | null>(null);
  useEffect(() => {
    const outbox = outboxOf(memberId);
    const store = new DeskStore(outbox, first.current);
    setDesk({ store, outbox });
    const stop = keepFresh(store, outbox, outboxPrefix(memberId));
    return () => {
      stop();
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
  return { desk, state: useStore(desk?.store, emptyDesk), outbox: useStore(desk?.outbox, idle) };
}

/** Requests cards while the deck is empty, when the tab becomes visible, and when another tab has sent a decision. */
function keepFresh(store: DeskStore, outbox: Outbox, prefix: string): () => void {
  const onVisible = () => {
    if (document.visibilityState === "visible") store.reload();
  };
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (newValue === null && key?.startsWith(prefix)) onVisible();
  };
  const timer = setInterval(() => {
    const { cards, incomplete_results } = store.getState();
    if (document.visibilityState === "visible" && cards.length === 0 && !incomplete_results) store.reload();
  }, CHECK_EVERY_MS);
  const onUnload = (event: BeforeUnloadEvent) => {
    if (outbox.getState().at_risk) event.preventDefault();
  };
  document.addEventListener("visibilitychange", onVisible);
  window.addEventListener("storage", onStorage);
  window.addEventListener("beforeunload", onUnload);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", onVisible);
    window.removeEventListener("storage", onStorage);
    window.removeEventListener("beforeunload", onUnload);
  };
}
