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
}

/**
 * Watches the deck from within the page, before any of its own scripts run and without asking them: the time of the
 * key event, and of the frame after which another card is on top.
 */
export async function watchDeck(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: Seen[] = [];
    let pressed: { key: string; card: number; at: number } | null = null;
    const top = () => document.querySelector('[data-place="top"]');
    const idOf = (card: Element | null) => Number(card?.getAttribute("data-card") ?? 0);
    addEventListener(
      "keydown",
      (event) => (pressed = { key: event.key, card: idOf(top()), at: event.timeStamp }),
      true,
    );
    const look = () => {
      const press = pressed;
      const next = idOf(top());
      if (press === null || next === press.card || next === 0) return;
      pressed = null;
      // A frame's callbacks run before it is painted, a message sent by them after it.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          const ms = performance.now() - press.at;
          const image = top()?.querySelector<HTMLImageElement>('article img[src^="/media/post/"]');
          const picture = image ? image.complete && image.naturalWidth > 0 : null;
          seen.push({ key: press.key, card: press.card, next, ms, picture });
          port1.close();
        };
        port2.postMessage(null);
      });
    };
    new MutationObserver(look).observe(document, {
      subtree: true,
      childList: true,
      attributeFilter: ["data-place", "data-card"],
    });
    (window as unknown as { deckSeen: Seen[] }).deckSeen = seen;
  });
}

/** All that was seen so far. */
export function whatWasSeen(page: Page): Promise<Seen[]> {
  return page.evaluate(() => (window as unknown as { deckSeen: Seen[] }).deckSeen);
}
