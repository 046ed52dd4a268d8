"use client";
import { outboxPrefix } from "./outbox-prefix.ts";
import { Outbox } from "./outbox.ts";

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

/** Null where storage is disabled. */
function browserStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}
