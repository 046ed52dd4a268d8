import { apiFetch } from "#lib/client/api-fetch.ts";
import type { Outbox } from "./outbox.ts";

/** The release under way; a desk that opens again waits for it, or it would take the new cards back. */
let releasing: Promise<void> = Promise.resolve();

const nameOf = (memberId: number) => `sluice:desk:${memberId}`;
const locksOf = () => ("locks" in navigator ? navigator.locks : undefined);

/** Says that a tab of this member is at the desk. Returns what takes the word back. */
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
 * Gives the cards in hand back at once, when no other tab of this member is at the desk: other reviewers need not
 * wait for the leases to end. For leaving the desk within the application and for other filters; a closed tab
 * or a reload gives nothing back, and after a reload one's own cards come again.
 *
 * @param leave from `enterDesk`, when this tab leaves
 */
export function releaseCards(memberId: number, outbox: Outbox, leave?: () => Promise<void>): Promise<void> {
  releasing = (async () => {
    await leave?.();
    // Decisions on their way still hold their cards: nobody else is to start on these.
    if (outbox.getState().waiting > 0) return;
    if ((await tabsAtDesk(memberId)) > (leave ? 0 : 1)) return;
    await apiFetch("/review/deck", { method: "DELETE" }).catch(() => undefined);
  })();
  return releasing;
}

/** Resolves when no release is under way. */
export function releaseFinished(): Promise<void> {
  return releasing;
}

/** Without locks nobody can tell; then nothing is given back early. */
async function tabsAtDesk(memberId: number): Promise<number> {
  const locks = locksOf();
  if (!locks) return Infinity;
  const { held = [], pending = [] } = await locks.query();
  return [...held, ...pending].filter((lock) => lock.name === nameOf(memberId)).length;
}
