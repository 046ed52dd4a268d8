import { Outbox } from "./outbox.ts";

let shared: { memberId: number; outbox: Outbox } | undefined;

/** The outbox of a member in this tab. Stops the outbox of another member. */
export function outboxOf(memberId: number): Outbox {
  if (shared?.memberId === memberId) return shared.outbox;
  shared?.outbox.stop();
  const outbox = new Outbox({ memberId, storage: browserStorage() });
  shared = { memberId, outbox };
  const wakeIfShared = () => {
    if (shared?.outbox === outbox) outbox.wake();
  };
  window.addEventListener("online", wakeIfShared);
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
