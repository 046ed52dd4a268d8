import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Locator, type Page } from "@playwright/test";

/** No violation of WCAG 2.2 AA that a program can find, nor of axe's own good practice. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  await expectNone(page, what, {});
}

/** The part of it that a theme can change: colours. */
export async function expectContrast(page: Page, what: string): Promise<void> {
  await expectNone(page, what, {
    runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] },
  });
}

type AxeOptions = Parameters<AxeBuilder["options"]>[0];

async function expectNone(page: Page, what: string, options: AxeOptions): Promise<void> {
  // Half faded in, a word has half its contrast.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((each) => Number.isFinite(Number(each.effect?.getComputedTiming().endTime)))
        .map((each) => each.finished),
    ),
  );
  // Its script has half a megabyte: sent once for a document, not for every look at it.
  const isThere = await page.evaluate(() => "axe" in window);
  const axe = new AxeBuilder(isThere ? { page, axeSource: ";" } : { page })
    // Without frames of other origins the result is the same, and no empty page is opened to put it together.
    .setLegacyMode()
    .options({ ...options, resultTypes: ["violations"] });
  const { violations } = await axe.analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
  expect(found, what).toEqual([]);
}

/** What was to come has come: nothing is loading, pictures and letters are there. */
export async function expectSettled(page: Page): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
  await expect(page.locator(".animate-skeleton, [aria-busy=true]")).toHaveCount(0);
}

/**
 * Nothing moves for somebody who wants no motion; what lasts no longer than a frame is no motion.
 * The page has to be shown with `reducedMotion: "reduce"`.
 */
export async function expectStill(page: Page, what: string): Promise<void> {
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
  expect(moving, what).toEqual([]);
}

/** Nothing reaches beyond the edge of the screen, once what is drawn to measure (charts) has taken the new one. */
export async function expectNoSidewaysScroll(page: Page, what: string): Promise<void> {
  const wide = () =>
    page.evaluate(() => {
      const beyond = document.documentElement.scrollWidth - innerWidth;
      if (beyond <= 0) return null;
      const widest = [...document.querySelectorAll("main *")]
        .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
        .at(-1);
      return `${beyond} pixels by ${widest?.outerHTML.slice(0, 200) ?? "something"}`;
    });
  await expect.poll(wide, { message: what }).toBeNull();
}

/** Shows the page in a theme without loading it again. */
export async function showTheme(page: Page, theme: "light" | "dark"): Promise<void> {
  await page.evaluate((name) => {
    document.documentElement.dataset.theme = name;
    // Colours are compared when they have arrived, not on their way.
    return Promise.all(document.getAnimations().map((each) => each.finished.catch(() => undefined))).then(
      () => undefined,
    );
  }, theme);
}

/** Collects the addresses of other origins that a page asks for. */
export function watchForeignRequests(page: Page, origin: string): string[] {
  const foreign: string[] = [];
  page.on("request", (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (/^(http|ws)s?:$/.test(protocol) && asked !== origin) foreign.push(request.url());
  });
  return foreign;
}

/**
 * Presses Tab until it has the focus: a button or link of that name, or whatever is given.
 * @throws when `limit` presses do not get there
 */
export async function tabTo(page: Page, what: string | RegExp | Locator, limit = 60): Promise<void> {
  const named = (name: string | RegExp) =>
    page.getByRole("button", { name }).or(page.getByRole("link", { name }));
  const isName = typeof what === "string" || what instanceof RegExp;
  const target = (isName ? named(what) : what).first();
  for (let press = 0; press < limit; press++) {
    await page.keyboard.press("Tab");
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`${isName ? String(what) : "It"} is not reached by the Tab key.`);
}
