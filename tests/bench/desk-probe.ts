import type { Page } from "playwright";

/** What one key press led to. `ms` is from the key to the frame that showed another card. */
export interface Seen {
  key: string;
  /** On top when the key was pressed. */
  card: number;
  /** On top afterwards. */
  next: number;
  ms: number;
  /** Whether the first picture of the next card was there with it; null without one. */
  picture: boolean | null;
  /** The same with nothing to draw, in a quiet moment afterwards: what machine and browser take for themselves. */
  bare_ms: number | null;
}

/** Long enough for a card to have left and the next but one to be drawn. */
const QUIET_AFTER = 300;

/**
 * Watches the deck from within the page, before any of its own scripts run and without asking them: the time of the
 * key event, and of the frame after which another card is on top.
 */
export async function watchDeck(page: Page): Promise<void> {
  await page.addInitScript((quietAfter) => {
    const seen: Seen[] = [];
    let pressed: { key: string; card: number; at: number } | null = null;
    const top = () => document.querySelector('[data-place="top"]');
    const idOf = (card: Element | null) => Number(card?.getAttribute("data-card") ?? 0);
    addEventListener(
      "keydown",
      (event) => (pressed = { key: event.key, card: idOf(top()), at: event.timeStamp }),
      true,
    );
    // A frame's callbacks run before it is painted, a message sent by them after it.
    const painted = (then: () => void) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          port1.close();
          then();
        };
        port2.postMessage(null);
      });
    const measureBare = (entry: Seen) => {
      const [begun, count] = [performance.now(), seen.length];
      painted(() => {
        if (pressed === null && seen.length === count) entry.bare_ms = performance.now() - begun;
      });
    };
    const look = () => {
      const press = pressed;
      const next = idOf(top());
      if (press === null || next === press.card || next === 0) return;
      pressed = null;
      painted(() => {
        const ms = performance.now() - press.at;
        const image = top()?.querySelector<HTMLImageElement>('article img[src^="/media/post/"]');
        const picture = image ? image.complete && image.naturalWidth > 0 : null;
        const entry = { key: press.key, card: press.card, next, ms, picture, bare_ms: null };
        seen.push(entry);
        setTimeout(() => measureBare(entry), quietAfter);
      });
    };
    new MutationObserver(look).observe(document, {
      subtree: true,
      childList: true,
      attributeFilter: ["data-place", "data-card"],
    });
    (window as unknown as { deckSeen: Seen[] }).deckSeen = seen;
  }, QUIET_AFTER);
}

/** All that was seen so far. */
export function whatWasSeen(page: Page): Promise<Seen[]> {
  return page.evaluate(() => (window as unknown as { deckSeen: Seen[] }).deckSeen);
}
