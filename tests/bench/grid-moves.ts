import type { Page } from "playwright";
import { summarise } from "./load.ts";

export interface GridFigures {
  /** Posts in the grid, all with pictures. */
  size: number;
  moves: number;
  p50_ms: number;
  p95_ms: number;
  max_ms: number;
}

const GRID_SIZE = 48;
const MOVES = 100;
const PAUSE_MS = 60;
const KEYS = ["ArrowRight", "ArrowRight", "ArrowDown", "j", "ArrowLeft", "k", "ArrowUp"];

/** Time from key press to the frame with the focus on another post, in a grid of pictures. */
export async function measureGridMoves(page: Page, url: string): Promise<GridFigures> {
  await page.goto(`${url}/review?view=grid&limit=${GRID_SIZE}&has_media=true`);
  await page
    .locator("[data-stop]")
    .nth(GRID_SIZE - 1)
    .waitFor();
  await page.evaluate(() => {
    const times: number[] = [];
    let at: number | null = null;
    addEventListener("keydown", (event) => (at = event.timeStamp), true);
    addEventListener("focusin", ({ target }) => {
      const began = at;
      if (began === null || !(target instanceof HTMLElement) || target.dataset.stop === undefined) return;
      at = null;
      // Animation frame callbacks run before the paint, messages sent by them after it.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          port1.close();
          times.push(performance.now() - began);
        };
        port2.postMessage(null);
      });
    });
    (window as unknown as { gridMoves: number[] }).gridMoves = times;
  });
  await page.keyboard.press("j");
  for (let move = 0; move < MOVES; move++) {
    await page.keyboard.press(KEYS[move % KEYS.length] ?? "j");
    await page.waitForTimeout(PAUSE_MS);
  }
  const times = await page.evaluate(() => (window as unknown as { gridMoves: number[] }).gridMoves);
  const { p50_ms, p95_ms } = summarise(times);
  return { size: GRID_SIZE, moves: times.length, p50_ms, p95_ms, max_ms: Math.max(...times) };
}
