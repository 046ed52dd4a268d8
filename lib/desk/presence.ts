import { apiFetch } from "#lib/client/api-fetch.ts";
import type { Outbox } from "./outbox.ts";

/** A desk that opens waits for a running release, which would also give back its new cards. */
let releasing: Promise<void> = Promise.resolve();

const nameOf = (memberId: number) => `sluice:desk:${memberId}`;
const locksOf = () => ("locks" in navigator ? navigator.locks : undefined);

/** @returns a function that unregisters the tab */
export function enterDesk(memberId: number): () => Promise<void> {
  const locks = locksOf();
  if (!locks) return () => Promise.resolve();
  let leave: (() => void) | undefined;
  const stay = new Promise<void>((resolve) => (leave = resolve));
  const there = locks.request(nameOf(memberId), { mode: "shared" }, () => stay);
  return async () => {
    leave?.();
    await there;
  };
}

/**
 * Only when no other tab of the member is at the desk, so that other reviewers get the cards early. A reload
 * releases nothing.
 *
 * @param leave from `enterDesk`, when this tab leaves
 */
export function releaseCards(memberId: number, outbox: Outbox, leave?: () => Promise<void>): Promise<void> {
  releasing = (async () => {
    await leave?.();
    // Unsent decisions still need their leases.
    if (outbox.getState().waiting > 0) return;
    if ((await tabsAtDesk(memberId)) > (leave ? 0 : 1)) return;
    await apiFetch("/review/deck", { method: "DELETE" }).catch(() => undefined);
  })();
  return releasing;
}

export function releaseFinished(): Promise<void> {
  return releasing;
}

/** The number is unknown without the Locks API, so nothing is released early. */
async function tabsAtDesk(memberId: number): Promise<number> {
  const locks = locksOf();
  if (!locks) return Infinity;
  const { held = [], pending = [] } = await locks.query();
  return [...held, ...pending].filter((lock) => lock.name === nameOf(memberId)).length;
}
