import { expect, type Page } from "@playwright/test";
import type { ReviewLog } from "#lib/review/log-schema.ts";
import type { ApiCaller } from "./api-caller.ts";

/** One thing done at the desk, as the review log names it. */
export interface Deed {
  post_id: number;
  action: string;
}

/** What a key does to the card on top, or to `next`, the one an undo brings back; `before` is what was done so far. */
export function deedOf(key: string, card: number, next: number | null, before: readonly Deed[]): Deed {
  if (key === "z") {
    const last = before.findLast((deed) => deed.post_id === next);
    return { post_id: next ?? 0, action: last?.action === "skip" ? "unskip" : "unreview" };
  }
  return { post_id: card, action: key === "a" ? "approve" : key === "s" ? "skip" : "reject" };
}

/**
 * Presses a decision's key and waits until another card is on top.
 * @returns what the log has to say of it
 */
export async function pressKey(page: Page, key: string, before: readonly Deed[]): Promise<Deed> {
  const card = await topCard(page);
  if (card === null) throw new Error("There is no card to decide on");
  await page.keyboard.press(key);
  let next: number | null = card;
  await expect.poll(async () => (next = await topCard(page)), { intervals: [10] }).not.toBe(card);
  return deedOf(key, card, next, before);
}

/** The post on top of the deck; null while there is none. */
export function topCard(page: Page): Promise<number | null> {
  return page.evaluate(() => {
    const id = document.querySelector('[data-place="top"]')?.getAttribute("data-card");
    return id == null ? null : Number(id);
  });
}

/** How the desk says it: all saved, or how many decisions wait and why. */
export function saveState(page: Page): Promise<{ status: string | null; waiting: number }> {
  return page.evaluate(() => {
    const shown = document.querySelector("[data-outbox]");
    return {
      status: shown?.getAttribute("data-outbox") ?? null,
      waiting: Number(shown?.getAttribute("data-waiting")),
    };
  });
}

/** Everything decided so far, oldest first; of one member when told which. */
export async function decisionLog(call: ApiCaller, memberId?: number): Promise<Deed[]> {
  const deeds: Deed[] = [];
  const of = memberId === undefined ? "" : `&member_id=${memberId}`;
  let from: string | null = "";
  while (from !== null) {
    const path: string = `/review/log?source=screen&limit=1000${of}${from}`;
    const { json }: { json: ReviewLog } = await call<ReviewLog>("GET", path);
    for (const { post_id, action } of json.items) if (post_id !== null) deeds.push({ post_id, action });
    from = json.next_cursor === null ? null : `&cursor=${json.next_cursor}`;
  }
  return deeds.reverse();
}

/**
 * What was done at the desk against what the log holds: done and not there, there more often than done, and
 * places of the log where something else stands than was done then.
 */
export function compareDeeds(
  done: readonly Deed[],
  logged: readonly Deed[],
): { lost: number; doubled: number; misplaced: number } {
  const open = new Map<string, number>();
  for (const deed of done) open.set(nameOf(deed), (open.get(nameOf(deed)) ?? 0) + 1);
  let doubled = 0;
  for (const deed of logged) {
    const left = open.get(nameOf(deed)) ?? 0;
    if (left > 0) open.set(nameOf(deed), left - 1);
    else doubled += 1;
  }
  const lost = [...open.values()].reduce((sum, left) => sum + left, 0);
  const misplaced = done.filter((deed, i) => {
    const there = logged[i];
    return there === undefined || nameOf(there) !== nameOf(deed);
  }).length;
  return { lost, doubled, misplaced };
}

function nameOf({ post_id, action }: Deed): string {
  return `${action} ${post_id}`;
}
