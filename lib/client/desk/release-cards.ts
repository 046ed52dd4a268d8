import { apiFetch } from "#lib/client/api-fetch.ts";
import type { Outbox } from "./outbox.ts";

/** A desk that opens waits for a running release, which would also give back its new cards. */
let releasing: Promise<void> = Promise.resolve();

/** Gives the cards back when the desk is left or its filters change, so that other reviewers get them early. */
export function releaseCards(outbox: Outbox): void {
  // Unsent decisions still need their leases.
  if (outbox.getState().waiting > 0) return;
  releasing = apiFetch("/review/deck", { method: "DELETE" }).then(
    () => undefined,
    () => undefined,
  );
}

export function releaseFinished(): Promise<void> {
  return releasing;
}
