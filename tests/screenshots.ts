import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Browser, BrowserContext, Page } from "playwright";
import { build, isBuilt } from "#lib/runtime/install/build.ts";
import { sessionCookies, type Session } from "#tests/setup/api-client.ts";
import { openBrowser } from "#tests/setup/chromium.ts";
import { query } from "#tests/setup/database.ts";
import {
  HASHTAGS,
  startWithAdmin,
  startWithSampleData,
  storeInvitation,
  type AdminInstallation,
  type SampleInstallation,
} from "#tests/setup/installation.ts";
import { listPages, type PagePath } from "#tests/setup/page-checks.ts";

/*
 * `npm run screenshots`: takes a picture of every page at 1920, 1280 and 390 pixels, light and dark, with sample data
 * and without data, and of some dialogs at 1280 and 390, into screenshots/. Arguments select pages by a part of their
 * name; several parts, separated by commas, select more.
 */

const FOLDER = path.resolve("screenshots");
const TIME_LIMIT = 30 * 60_000;
const WIDTHS = [1280, 390] as const;
const WIDE = 1920;
/** A scene is drawn at the other widths only. */
const isScene = ({ isCut }: Drawn) => isCut !== undefined;
const THEMES = ["light", "dark"] as const;
/** Milliseconds for one step on a page. */
const STEP_TIMEOUT = 40_000;
/** Longer pages are cut. */
const MAX_HEIGHT = 6_000;

const wanted = process.argv.slice(2).flatMap((part) => part.split(","));
const isWanted = ({ name }: { name: string }) =>
  wanted.length === 0 || wanted.some((part) => name.includes(part));
const startedAt = performance.now();
const cleanup: (() => Promise<void>)[] = [];
let code = 1;

const timer = setTimeout(() => {
  console.error(`Stopped: the screenshots took longer than ${TIME_LIMIT / 60_000} minutes.`);
  void end();
}, TIME_LIMIT);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end());

try {
  if (!(await isBuilt())) await build();
  if (wanted.length === 0) await rm(FOLDER, { recursive: true, force: true });
  const { browser, close } = await openBrowser();
  cleanup.push(close);
  const errors: string[] = [];
  const drawAll = async (
    kind: "empty" | "full",
    { app, session }: AdminInstallation,
    pages: readonly PagePath[],
    drawn: readonly Drawn[],
  ) => {
    const folder = path.join(FOLDER, kind);
    errors.push(
      ...(await takeScreenshots(browser, app.url, session, [...pages.filter(isWanted), ...drawn], folder)),
    );
    console.log(`${kind}: ${Math.round((performance.now() - startedAt) / 1000)} s`);
  };
  const empty = await startWithAdmin({ posts: 0, hashtags: HASHTAGS }, () => Promise.resolve({}));
  cleanup.push(empty.stop);
  await drawAll("empty", empty, listPages({}), []);
  await cleanup.pop()?.();
  const full = await startWithSampleData();
  cleanup.push(full.stop);
  // Home warns as after the first ten minutes.
  await query(full.databaseUrl, "UPDATE installation SET alerts_from = now()");
  await drawAll("full", full, pagesWithData(full), scenesOf(full));
  await cleanup.pop()?.();
  for (const error of errors) console.error(error);
  console.log(`The pictures are in ${path.relative(process.cwd(), FOLDER)}/.`);
  code = errors.length === 0 ? 0 : 1;
} catch (error) {
  console.error(error);
}
await end();

function pagesWithData({ sample }: SampleInstallation): PagePath[] {
  return listPages({
    streamId: sample.streamId,
    postId: sample.duplicate,
    account: sample.account,
    keyId: sample.keyId,
  });
}

type Drawn = PagePath & {
  /** The path is made for each width. */
  prepare?: () => Promise<string>;
  act?: (page: Page) => Promise<unknown>;
  /** Only the first screen. */
  isCut?: boolean;
};

/** Dialogs and states that an address alone does not show. */
function scenesOf({ databaseUrl }: AdminInstallation): Drawn[] {
  const press = (key: string) => async (page: Page) => {
    const dialog = page.getByRole("dialog").first();
    // The page may not be interactive yet.
    for (let turn = 0; turn < 10 && !(await dialog.isVisible()); turn++) {
      await page.keyboard.press(key);
      await dialog.waitFor({ timeout: 2_000 }).catch(() => undefined);
    }
  };
  const openInvitation = async () => {
    const email = `guest${Date.now()}@journeys.example`;
    return storeInvitation(databaseUrl, email, "viewer");
  };
  const scenes: Drawn[] = [
    { name: "desk-keys", path: "/review", act: press("?") },
    { name: "desk-checks", path: "/review", act: press("k") },
    { name: "desk-block-author", path: "/review", act: press("b") },
    { name: "desk-note", path: "/review", act: (page) => page.keyboard.press("n") },
    { name: "desk-done", path: "/review?q=nothing-has-this-word" },
    { name: "grid", path: "/review?view=grid" },
    { name: "palette", path: "/", act: press("Control+k") },
    { name: "streams-add", path: "/streams?add=1" },
    { name: "invitation", path: "", signedOut: true, prepare: openInvitation },
  ];
  return scenes.filter(isWanted).map((scene) => ({ ...scene, isCut: true }));
}

/**
 * Takes pictures of pages in three widths and two themes, of scenes in two widths.
 * @returns one line per page that failed; the others are still photographed
 */
async function takeScreenshots(
  browser: Browser,
  url: string,
  session: Session,
  pages: readonly Drawn[],
  folder: string,
): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const errors: string[] = [];
  // All widths at once, because most of the time is spent waiting for pages to load.
  await Promise.all(
    [...WIDTHS, WIDE].map(async (width) => {
      const shown = pages.filter((page) => width !== WIDE || !isScene(page));
      for (const signedOut of [false, true]) {
        const chosen = shown.filter((page) => (page.signedOut ?? false) === signedOut);
        if (chosen.length === 0) continue;
        const context = await openContext(browser, url, signedOut ? null : session, width);
        for (const drawn of chosen) {
          const file = path.join(folder, `${drawn.name}-${width}`);
          await takeScreenshot(context, url, drawn, file).catch((error: unknown) => {
            const [line = ""] = String(error).split("\n");
            errors.push(`${drawn.name} at ${width} pixels: ${line}`);
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
  return width < 720 ? 844 : width === WIDE ? 1080 : 800;
}

async function takeScreenshot(
  context: BrowserContext,
  url: string,
  drawn: Drawn,
  file: string,
): Promise<void> {
  const address = url + (drawn.prepare === undefined ? drawn.path : await drawn.prepare());
  const page = await context.newPage();
  try {
    const answer = await page.goto(address, { waitUntil: "load" });
    if (answer !== null && answer.status() >= 400 && drawn.act === undefined && !drawn.isCut)
      throw new Error(`answered ${answer.status()}`);
    await page.locator("h1, [role=dialog]").first().waitFor();
    await page.waitForLoadState("networkidle", { timeout: 3_000 }).catch(() => undefined);
    await drawn.act?.(page);
    if (!drawn.isCut) await growToPage(page);
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

/** The viewport becomes as tall as the page: fixed bars stay at its edges, and lazy pictures load. */
async function growToPage(page: Page): Promise<void> {
  const { width } = page.viewportSize() ?? { width: 1280 };
  const scrollHeight = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({
    width,
    height: Math.max(heightFor(width), Math.min(scrollHeight, MAX_HEIGHT)),
  });
}

async function end(): Promise<never> {
  clearTimeout(timer);
  for (const step of cleanup.splice(0).reverse()) await step().catch(() => undefined);
  process.exit(code);
}
