import type { Page } from "playwright";

/** Result of one key press; `ms` until the frame with another card. */
export interface Seen {
  key: string;
  card: number;
  next: number;
  ms: number;
  /** Whether the next card's first picture was visible at once; null without one. */
  picture: boolean | null;
}

export interface Probe {
  seen: Seen[];
  /** Presses that showed a covered picture. */
  uncovering: number;
}

export async function watchDeck(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: Seen[] = [];
    let pressed: { key: string; card: number; at: number } | null = null;
    const top = () => document.querySelector('[data-place="top"]');
    const idOf = (card: Element | null) => Number(card?.getAttribute("data-card") ?? 0);
    const probe = { seen, uncovering: 0 };
    addEventListener(
      "keydown",
      (event) => {
        pressed = { key: event.key, card: idOf(top()), at: event.timeStamp };
        // An approval of a covered picture shows it and decides nothing.
        const covered = top()?.querySelector("article")?.textContent.includes("Covered – show");
        if (event.key !== "a" || covered !== true) return;
        pressed = null;
        probe.uncovering += 1;
      },
      true,
    );
    // Animation frame callbacks run before the paint, messages sent by them after it.
    const painted = (then: () => void) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          port1.close();
          then();
        };
        port2.postMessage(null);
      });
    const look = () => {
      const press = pressed;
      const next = idOf(top());
      if (press === null || next === press.card || next === 0) return;
      pressed = null;
      painted(() => {
        const ms = performance.now() - press.at;
        const image = top()?.querySelector<HTMLImageElement>('article img[src^="/media/post/"]');
        const picture = image ? image.complete && image.naturalWidth > 0 : null;
        seen.push({ key: press.key, card: press.card, next, ms, picture });
      });
    };
    new MutationObserver(look).observe(document, {
      subtree: true,
      childList: true,
      attributeFilter: ["data-place", "data-card"],
    });
    (window as unknown as { deckProbe: Probe }).deckProbe = probe;
  });
}

export function whatWasSeen(page: Page): Promise<Probe> {
  return page.evaluate(() => (window as unknown as { deckProbe: Probe }).deckProbe);
}
