import { readdirSync } from "node:fs";
import path from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Browser, type BrowserContext, type Locator, type Page } from "@playwright/test";
import type { AdminInstallation } from "./installation.ts";

export type PagePath = { name: string; path: string; signedOut?: boolean };

const APP = path.resolve(import.meta.dirname, "../../app");

/**
 * Every page, read from the folder of routes.
 *
 * @param ids fill `[id]` and `[account]`; pages without a value are left out
 */
export function listPages(ids: {
  streamId?: number;
  postId?: number;
  account?: string;
  keyId?: number;
}): PagePath[] {
  const values: Record<string, string | undefined> = {
    streams: ids.streamId?.toString(),
    posts: ids.postId?.toString(),
    keys: ids.keyId?.toString(),
    authors: ids.account?.replace(/^@/, ""),
  };
  return findPages("(console)")
    .flatMap((parts) => fill(parts, values) ?? [])
    .map((parts): PagePath => ({
      name: parts.join("-").replace(/[^\w.-]+/g, "-") || "home",
      path: `/${parts.join("/")}`,
    }))
    .concat(findPages("(auth)").map(([name = ""]) => ({ name, path: `/${name}`, signedOut: true })))
    .sort((a, b) => a.path.localeCompare(b.path));
}

function findPages(group: string): string[][] {
  return readdirSync(path.join(APP, group), { recursive: true, encoding: "utf8" })
    .map((file) => file.split(path.sep))
    .filter((parts) => parts.at(-1) === "page.tsx")
    .map((parts) => parts.slice(0, -1).filter((part) => !/^\(.*\)$/.test(part)));
}

function fill(parts: readonly string[], values: Record<string, string | undefined>): string[][] | null {
  const filled = parts.map((part, at) => (part.startsWith("[") ? values[parts[at - 1] ?? ""] : part));
  return filled.some((part) => part === undefined) ? null : [filled as string[]];
}

export async function checkPages(
  browser: Browser,
  installation: AdminInstallation,
  pages: readonly PagePath[],
  extent: "once" | "every theme and width" = "every theme and width",
): Promise<void> {
  const signedOut = await browser.newContext({ reducedMotion: "reduce" });
  const signedIn = await browser.newContext({ reducedMotion: "reduce" });
  await installation.signIn(signedIn);
  // Two at a time: one is checked while the other loads.
  const queue = pages.map((each) => ({ ...each, context: each.signedOut ? signedOut : signedIn }));
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      await checkPage(next.context, installation.app.url, next.path, extent === "once");
  };
  await Promise.all([worker(), worker()]);
  await Promise.all([signedOut.close(), signedIn.close()]);
}

/** All of it with a single load. */
async function checkPage(context: BrowserContext, url: string, path: string, isOnce: boolean): Promise<void> {
  const page = await context.newPage();
  const external = collectExternalRequests(page, new URL(url).origin);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(new URL(path, url).href);
  await expectLoaded(page);
  await expectNoAnimation(page, path);
  if (isOnce) await expectAccessible(page, path);
  else await checkLayouts(page, path);
  expect(external, path).toEqual([]);
  await page.close();
}

async function checkLayouts(page: Page, path: string): Promise<void> {
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await setTheme(page, "light");
    await expectAccessible(page, `${path} at ${width} in light`);
    await setTheme(page, "dark");
    await expectContrast(page, `${path} at ${width} in dark`);
  }
  // 1280 × 800 at 200 % zoom is 640 × 400 CSS pixels; at 400 % the width is 320.
  await page.setViewportSize({ width: 640, height: 400 });
  await expectNoHorizontalScroll(page, `${path} at 200 %`);
  await expectControlsReachable(page, `${path} at 200 %`);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoHorizontalScroll(page, `${path} at 320 pixels`);
}

/** Every control can be scrolled into view uncovered. */
async function expectControlsReachable(page: Page, label: string): Promise<void> {
  const hidden = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("main :is(a[href], button, select, textarea)")]
      .filter((each) => !each.closest("[inert], [aria-hidden=true], .hidden-visually"))
      .filter((each) => {
        const isShown = () => each.checkVisibility({ visibilityProperty: true, opacityProperty: true });
        // Some appear with the focus.
        if (!isShown()) each.focus({ preventScroll: true });
        return isShown();
      })
      .flatMap((each) => {
        // A link that appears with the focus may cover others.
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
        each.focus({ preventScroll: true });
        each.scrollIntoView({ block: "center", behavior: "instant" });
        const { left = 0, width = 0, top = 0, height = 0 } = each.getClientRects()[0] ?? {};
        const seen = document.elementFromPoint(left + width / 2, top + height / 2);
        if (width === 0 || height === 0 || each.contains(seen)) return [];
        return [`${each.outerHTML.slice(0, 150)} under ${seen?.outerHTML.slice(0, 150) ?? "the edge"}`];
      }),
  );
  expect(hidden, label).toEqual([]);
}

/** WCAG 2.2 AA and axe's best practices. */
export async function expectAccessible(page: Page, label: string): Promise<void> {
  await expectNoViolations(page, label, {});
}

export async function expectContrast(page: Page, label: string): Promise<void> {
  await expectNoViolations(page, label, {
    runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] },
  });
}

type AxeOptions = Parameters<AxeBuilder["options"]>[0];

async function expectNoViolations(page: Page, label: string, options: AxeOptions): Promise<void> {
  // React takes the old title away before it sets the new one.
  await expect(page).toHaveTitle(/./);
  // Text that fades in has too little contrast.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((each) => Number.isFinite(Number(each.effect?.getComputedTiming().endTime)))
        .map((each) => each.finished),
    ),
  );
  // The script has half a megabyte, so it is injected once per document.
  const isInjected = await page.evaluate(() => "axe" in window);
  const axe = new AxeBuilder(isInjected ? { page, axeSource: ";" } : { page })
    // Without frames of other origins, legacy mode finds the same and opens no extra page.
    .setLegacyMode()
    .options({ ...options, resultTypes: ["violations"] });
  const { violations } = await axe.analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
  expect(found, label).toEqual([]);
}

async function expectLoaded(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
  await expect(page.locator(".animate-skeleton, [aria-busy=true]")).toHaveCount(0);
}

/** Nothing is animated for longer than a frame with `reducedMotion: "reduce"`. */
async function expectNoAnimation(page: Page, label: string): Promise<void> {
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .filter((each) => {
        const { activeDuration } = each.effect?.getComputedTiming() ?? {};
        return each.playState === "running" && Number(activeDuration) > 17;
      })
      .map((each) => {
        if (each instanceof CSSAnimation) return each.animationName;
        return each instanceof CSSTransition ? each.transitionProperty : "script";
      }),
  );
  expect(moving, label).toEqual([]);
}

export async function expectNoHorizontalScroll(page: Page, label: string): Promise<void> {
  const wide = () =>
    page.evaluate(() => {
      const beyond = document.documentElement.scrollWidth - innerWidth;
      if (beyond <= 0) return null;
      const widest = [...document.querySelectorAll("main *")]
        .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
        .at(-1);
      return `${beyond} pixels by ${widest?.outerHTML.slice(0, 200) ?? "something"}`;
    });
  await expect.poll(wide, { message: label }).toBeNull();
}

export async function setTheme(page: Page, theme: "light" | "dark"): Promise<void> {
  await page.evaluate((name) => {
    document.documentElement.dataset.theme = name;
    // Colour transitions must end first.
    return Promise.all(document.getAnimations().map((each) => each.finished.catch(() => undefined))).then(
      () => undefined,
    );
  }, theme);
}

function collectExternalRequests(page: Page, origin: string): string[] {
  const external: string[] = [];
  page.on("request", (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (/^(http|ws)s?:$/.test(protocol) && asked !== origin) external.push(request.url());
  });
  return external;
}

/**
 * Presses Tab until a locator, or the button or link of this name, has the focus.
 *
 * @throws Error after `limit` presses
 */
export async function tabTo(page: Page, target: string | RegExp | Locator, limit = 60): Promise<void> {
  const named = (name: string | RegExp) =>
    page.getByRole("button", { name }).or(page.getByRole("link", { name }));
  const isName = typeof target === "string" || target instanceof RegExp;
  const element = (isName ? named(target) : target).first();
  for (let press = 0; press < limit; press++) {
    await page.keyboard.press("Tab");
    if (await element.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`The Tab key does not reach ${isName ? String(target) : "the element"}.`);
}
