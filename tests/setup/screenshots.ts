import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium, type Browser, type BrowserContext } from "playwright";
import { prepareChromium } from "./chromium.ts";
import { sessionCookies } from "./session-cookies.ts";
import type { Session } from "./open-session.ts";
import type { PagePath } from "./pages.ts";

const WIDTHS = [1280, 390] as const;
const THEMES = ["light", "dark"] as const;
/** Time for one picture, with a page that never comes to rest. */
const PATIENCE = 20_000;
/** Longer pages are cut: nobody looks further down, and pictures have their limits. */
const TALLEST = 6_000;

/** A browser for pictures; `close` also removes what it unpacked. */
export async function openBrowser(): Promise<{ browser: Browser; close: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), "sluice-browser-"));
  try {
    const browser = await chromium.launch(await prepareChromium(folder));
    return {
      browser,
      close: async () => {
        await browser.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Photographs pages in two widths and two themes, each as long as it is.
 * @returns what went wrong, one sentence each; the other pictures are there all the same
 */
export async function photograph(
  browser: Browser,
  url: string,
  session: Session,
  subjects: readonly PagePath[],
  folder: string,
): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const troubles: string[] = [];
  // Both widths at once: most of the time goes by in waiting for a page to come to rest.
  await Promise.all(
    WIDTHS.map(async (width) => {
      for (const signedOut of [false, true]) {
        const chosen = subjects.filter((subject) => (subject.signedOut ?? false) === signedOut);
        const context = await openContext(browser, url, signedOut ? null : session, width);
        for (const { name, path: place } of chosen) {
          await take(context, url + place, path.join(folder, `${name}-${width}`)).catch((error: unknown) => {
            const [line = ""] = String(error).split("\n");
            troubles.push(`${place} at ${width} pixels: ${line}`);
          });
        }
        await context.close();
      }
    }),
  );
  return troubles;
}

async function openContext(
  browser: Browser,
  url: string,
  session: Session | null,
  width: number,
): Promise<BrowserContext> {
  const isPhone = width < 720;
  const context = await browser.newContext({
    viewport: { width, height: heightFor(width) },
    hasTouch: isPhone,
    isMobile: isPhone,
    reducedMotion: "reduce",
    locale: "en-GB",
    timezoneId: "UTC",
  });
  context.setDefaultTimeout(PATIENCE);
  if (session !== null) await context.addCookies(sessionCookies(session, url));
  return context;
}

const heightFor = (width: number) => (width < 720 ? 844 : 800);

async function take(context: BrowserContext, address: string, file: string): Promise<void> {
  const page = await context.newPage();
  try {
    const answer = await page.goto(address, { waitUntil: "load" });
    if (answer !== null && answer.status() >= 400) throw new Error(`answered ${answer.status()}`);
    await page.locator("h1").first().waitFor();
    // As tall as the page: what stands at the edges of the screen then stands at its edges in the picture, and pictures
    // that wait until they come near are loaded.
    const { width } = page.viewportSize() ?? { width: 1280 };
    const tall = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.setViewportSize({ width, height: Math.max(heightFor(width), Math.min(tall, TALLEST)) });
    await page.waitForLoadState("networkidle", { timeout: 3_000 }).catch(() => undefined);
    for (const theme of THEMES) {
      await page.evaluate((name) => {
        document.documentElement.dataset.theme = name;
        return document.fonts.ready.then(() => undefined);
      }, theme);
      await page.screenshot({ path: `${file}-${theme}.png`, animations: "disabled" });
    }
  } finally {
    await page.close();
  }
}
