import { expect, type Browser, type BrowserContext, type Page } from "@playwright/test";
import {
  expectAccessible,
  expectContrast,
  expectNoSidewaysScroll,
  expectSettled,
  expectStill,
  showTheme,
  watchForeignRequests,
} from "./page-checks.ts";
import type { PagePath } from "./pages.ts";
import type { Place } from "./place.ts";

/** Looks at pages of a place, signed in or out as each wants, in all their shapes. */
export async function lookAtPages(browser: Browser, place: Place, pages: readonly PagePath[]): Promise<void> {
  const signedOut = await browser.newContext({ reducedMotion: "reduce" });
  const signedIn = await browser.newContext({ reducedMotion: "reduce" });
  await place.admit(signedIn);
  // Two pages side by side: while one waits for the server, the other is looked at.
  const queue = pages.map((each) => ({ ...each, context: each.signedOut ? signedOut : signedIn }));
  const walk = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      await look(next.context, place.app.url, next.path);
  };
  await Promise.all([walk(), walk()]);
  await Promise.all([signedOut.close(), signedIn.close()]);
}

/** Looks at one page in all its shapes. One load serves all: widths and themes change on the page as they do for people. */
async function look(context: BrowserContext, url: string, path: string): Promise<void> {
  const page = await context.newPage();
  const foreign = watchForeignRequests(page, new URL(url).origin);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(new URL(path, url).href);
  await expectSettled(page);
  await expectStill(page, path);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await showTheme(page, "light");
    await expectAccessible(page, `${path} at ${width} in light`);
    await showTheme(page, "dark");
    await expectContrast(page, `${path} at ${width} in dark`);
  }
  // A window of 1280 × 800 enlarged to 200 % has this many pixels of CSS; 320 are 400 %.
  await page.setViewportSize({ width: 640, height: 400 });
  await expectNoSidewaysScroll(page, `${path} at 200 %`);
  await expectMainReachable(page, `${path} at 200 %`);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScroll(page, `${path} at 320 pixels`);
  expect(foreign, path).toEqual([]);
  await page.close();
}

/** Enlarged, every control of the page can be scrolled to, and nothing lies over it there. */
async function expectMainReachable(page: Page, what: string): Promise<void> {
  const hidden = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("main :is(a[href], button, select, textarea)")]
      .filter((each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .filter((each) => !each.closest("[inert], [aria-hidden=true], .hidden-visually"))
      .flatMap((each) => {
        each.scrollIntoView({ block: "center", behavior: "instant" });
        const { left = 0, width = 0, top = 0, height = 0 } = each.getClientRects()[0] ?? {};
        const seen = document.elementFromPoint(left + width / 2, top + height / 2);
        if (width === 0 || height === 0 || each.contains(seen)) return [];
        return [`${each.outerHTML.slice(0, 150)} under ${seen?.outerHTML.slice(0, 150) ?? "the edge"}`];
      }),
  );
  expect(hidden, what).toEqual([]);
}
