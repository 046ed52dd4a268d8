import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Browser, BrowserContext } from "playwright";
import { build, isBuilt } from "#lib/runtime/install/build.ts";
import { ensurePrismaClient } from "#lib/runtime/install/prisma-client.ts";
import { sessionCookies, type Session } from "#tests/setup/api-client.ts";
import { openBrowser } from "#tests/setup/chromium.ts";
import { HASHTAGS, startWithAdmin, type AdminInstallation } from "#tests/setup/installation.ts";
import { listPages, type PagePath } from "#tests/setup/page-checks.ts";
import { addSampleData } from "#tests/setup/sample-data.ts";

/*
 * `npm run screenshots`: takes a picture of every page at 1280 and 390 pixels, light and dark, with sample data and
 * without data, into screenshots/. Arguments select pages by a part of their name.
 */

const FOLDER = path.resolve("screenshots");
const TIME_LIMIT = 15 * 60_000;
const WIDTHS = [1280, 390] as const;
const THEMES = ["light", "dark"] as const;
/** Milliseconds for one step on a page. */
const STEP_TIMEOUT = 20_000;
/** Longer pages are cut. */
const MAX_HEIGHT = 6_000;

const nameParts = process.argv.slice(2);
const startedAt = performance.now();
const cleanup: (() => Promise<void>)[] = [];
let code = 1;

const timer = setTimeout(() => {
  console.error(`Stopped: the screenshots took longer than ${TIME_LIMIT / 60_000} minutes.`);
  void end();
}, TIME_LIMIT);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end());

try {
  await ensurePrismaClient();
  if (!(await isBuilt())) await build();
  if (nameParts.length === 0) await rm(FOLDER, { recursive: true, force: true });
  const { browser, close } = await openBrowser();
  cleanup.push(close);
  const errors: string[] = [];
  for (const kind of ["empty", "full"] as const) {
    const installation = await startWithAdmin(
      { posts: kind === "full" ? 160 : 0, hashtags: HASHTAGS },
      async (started) => ({ pages: kind === "full" ? await pagesWithData(started) : listPages({}) }),
    );
    cleanup.push(installation.stop);
    const pages = installation.pages.filter(({ name }) => nameParts.every((part) => name.includes(part)));
    const { app, session } = installation;
    errors.push(...(await takeScreenshots(browser, app.url, session, pages, path.join(FOLDER, kind))));
    await cleanup.pop()?.();
    console.log(`${kind}: ${pages.length} pages, ${Math.round((performance.now() - startedAt) / 1000)} s`);
  }
  for (const error of errors) console.error(error);
  console.log(`The pictures are in ${path.relative(process.cwd(), FOLDER)}/.`);
  code = errors.length === 0 ? 0 : 1;
} catch (error) {
  console.error(error);
}
await end();

async function pagesWithData(installation: AdminInstallation): Promise<PagePath[]> {
  const sample = await addSampleData(installation, HASHTAGS);
  return listPages({
    streamId: sample.streamId,
    postId: sample.duplicate,
    account: sample.account,
    keyId: sample.keyId,
  });
}

/**
 * Takes pictures of pages in two widths and two themes, in full height.
 * @returns one line per page that failed; the others are still photographed
 */
async function takeScreenshots(
  browser: Browser,
  url: string,
  session: Session,
  pages: readonly PagePath[],
  folder: string,
): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const errors: string[] = [];
  // Both widths at once, because most of the time is spent waiting for pages to load.
  await Promise.all(
    WIDTHS.map(async (width) => {
      for (const signedOut of [false, true]) {
        const chosen = pages.filter((page) => (page.signedOut ?? false) === signedOut);
        const context = await openContext(browser, url, signedOut ? null : session, width);
        for (const { name, path: pagePath } of chosen) {
          const file = path.join(folder, `${name}-${width}`);
          await takeScreenshot(context, url + pagePath, file).catch((error: unknown) => {
            const [line = ""] = String(error).split("\n");
            errors.push(`${pagePath} at ${width} pixels: ${line}`);
          });
        }
        await context.close();
      }
    }),
  );
  return errors;
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
  context.setDefaultTimeout(STEP_TIMEOUT);
  if (session !== null) await context.addCookies(sessionCookies(session, url));
  return context;
}

function heightFor(width: number): number {
  return width < 720 ? 844 : 800;
}

async function takeScreenshot(context: BrowserContext, address: string, file: string): Promise<void> {
  const page = await context.newPage();
  try {
    const answer = await page.goto(address, { waitUntil: "load" });
    if (answer !== null && answer.status() >= 400) throw new Error(`answered ${answer.status()}`);
    await page.locator("h1").first().waitFor();
    // The viewport becomes as tall as the page: fixed bars stay at its edges, and lazy pictures load.
    const { width } = page.viewportSize() ?? { width: 1280 };
    const scrollHeight = await page.evaluate(() => document.documentElement.scrollHeight);
    const height = Math.max(heightFor(width), Math.min(scrollHeight, MAX_HEIGHT));
    await page.setViewportSize({ width, height });
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

async function end(): Promise<never> {
  clearTimeout(timer);
  for (const step of cleanup.splice(0).reverse()) await step().catch(() => undefined);
  process.exit(code);
}
