import { test as base, type Locator, type Page } from "@playwright/test";
import { startWithSampleData, type Installation } from "./installation.ts";

export { expect } from "@playwright/test";

function collectConsoleErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    // The browser logs every 4xx and 5xx; the tests check statuses themselves.
    if (!message.text().startsWith("Failed to load resource")) errors.push(message.text());
  });
  return errors;
}

/**
 * A load ends when React shows the streamed parts and has attached its handlers to the controls; earlier clicks and
 * focus would be lost.
 */
export function waitAfterLoads(page: Page): void {
  // React names streamed parts S:n, and their places B:n.
  const isHydrated = () =>
    document.querySelector("[hidden][id^='S:'], template[id^='B:']") === null &&
    [...document.querySelectorAll("main :is(button, input:not([type='hidden']), select)")].every((control) =>
      Object.keys(control).some((key) => key.startsWith("__reactProps")),
    );
  // Handlers are marked before they are in use. React is done when the browser is idle.
  const idle = () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 2000 }));
  const waitForHydration = async () => {
    await page.waitForFunction(isHydrated);
    await page.waitForFunction(idle);
  };
  const goto = page.goto.bind(page);
  const reload = page.reload.bind(page);
  page.goto = async (...args) => {
    const response = await goto(...args);
    await waitForHydration();
    return response;
  };
  page.reload = async (...args) => {
    const response = await reload(...args);
    await waitForHydration();
    return response;
  };
}

/**
 * Playwright's test. Console errors, console warnings and uncaught exceptions fail it, because they alone
 * reveal violations of the content security policy.
 */
const pageTest = base.extend({
  page: async ({ page }, use) => {
    const errors = collectConsoleErrors(page);
    waitAfterLoads(page);
    await use(page);
    if (errors.length > 0) throw new Error(`The page logged errors:\n${errors.join("\n")}`);
  },
});

/**
 * A test on an installation of its worker. Call it once for all tests that share the installation: each call starts
 * another one.
 */
export function installationTest<I extends Installation>(start: () => Promise<I>) {
  return pageTest.extend<object, { installation: I }>({
    installation: [
      // Playwright requires the destructuring pattern even without fixtures in it.
      // oxlint-disable-next-line no-empty-pattern
      async ({}, use) => {
        const installation = await start();
        await use(installation);
        await installation.stop();
      },
      { scope: "worker", timeout: 120_000 },
    ],
  });
}

/** With data for every page. Tests change it in ways that do not matter to the others. */
export const sampleTest = installationTest(startWithSampleData);

export function panelOf(page: Page, title: string): Locator {
  return page
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: title, exact: true }) })
    .last();
}

export function statIn(container: Locator, label: string): Locator {
  return container.getByText(label, { exact: true }).locator("xpath=following-sibling::span[1]/span[1]");
}

export function toastMessage(page: Page, text: string | RegExp): Locator {
  return page
    .getByRole("region", { name: /messages/i })
    .getByText(text)
    .first();
}
