"use client";
import { useStore } from "#lib/client/use-store.ts";
import { outboxPrefix } from "./outbox-prefix.ts";
import { browserStorage } from "./outbox-storage.ts";
import { Outbox, type OutboxState } from "./outbox.ts";

const idle: OutboxState = { status: "saved", waiting: 0, at_risk: false };
let shared: { memberId: number; outbox: Outbox } | undefined;

/** The outbox of a member in this tab. For another member, the former outbox is stopped. */
export function outboxOf(memberId: number): Outbox {
  if (shared?.memberId === memberId) return shared.outbox;
  shared?.outbox.stop();
  const outbox = new Outbox({
    memberId,
    storage: browserStorage(),
    // Missing on plain http at a network address.
    locks: "locks" in navigator ? navigator.locks : undefined,
    channel:
      typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel(outboxPrefix(memberId)),
  });
  shared = { memberId, outbox };
  const wakeIfShared = () => {
    if (shared?.outbox === outbox) outbox.wake();
  };
  window.addEventListener("online", wakeIfShared);
  window.addEventListener("storage", (event) => {
    if (event.key?.startsWith(outboxPrefix(memberId))) wakeIfShared();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") wakeIfShared();
  });
  outbox.wake();
  return outbox;
}

export function useOutboxState(outbox: Outbox | null): OutboxState {
  return useStore(outbox, idle);
}
