import { apiFetch } from "#lib/client/api-fetch.ts";
import type { Outbox } from "./outbox.ts";

/**
 * The running release. A desk that opens waits for it, because the release would also give back the new
 * cards.
 */
let releasing: Promise<void> = Promise.resolve();

const nameOf = (memberId: number) => `sluice:desk:${memberId}`;
const locksOf = () => ("locks" in navigator ? navigator.locks : undefined);

/**
 * Registers this tab at the desk.
 *
 * @returns a function that unregisters it
 */
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
 * Releases the leased cards when no other tab of this member is at the desk, so other reviewers get them
 * before the leases end. Used when leaving the desk inside the application and when filters change. A closed
 * tab or a reload releases nothing, and the same cards return after a reload.
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

/** Resolves when no release is running. */
export function releaseFinished(): Promise<void> {
  return releasing;
}

/** Without the Locks API the number is unknown, so nothing is released early. */
async function tabsAtDesk(memberId: number): Promise<number> {
  const locks = locksOf();
  if (!locks) return Infinity;
  const { held = [], pending = [] } = await locks.query();
  return [...held, ...pending].filter((lock) => lock.name === nameOf(memberId)).length;
}
