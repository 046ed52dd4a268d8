import path from "node:path";
import { test as base, type Page } from "@playwright/test";
import { ADMIN, HASHTAGS } from "./journey-facts.ts";
import { startPlace, type Place } from "./place.ts";
import { openSession, type Session } from "./open-session.ts";
import { sessionCookies } from "./session-cookies.ts";

export { expect } from "@playwright/test";
export { ADMIN, HASHTAGS } from "./journey-facts.ts";

type Fixtures = {
  /** The administrator's session for preparing things over the API. */
  admin: Session;
  /** A page on which the administrator is signed in already. */
  desk: Page;
};

/** What a page will have complained about: what it says on the console, and exceptions in it. */
export function listenTo(page: Page): string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    // The browser itself reports refused requests; whether those were expected is for the journey to say.
    if (!message.text().startsWith("Failed to load resource")) complaints.push(message.text());
  });
  return complaints;
}

/**
 * Playwright's test for pages. Anything the page says on the console as a warning or an error, and any exception in it,
 * fails the journey: a broken content policy shows itself nowhere else.
 */
export const pageTest = base.extend({
  page: async ({ page }, use) => {
    const complaints = listenTo(page);
    await use(page);
    if (complaints.length > 0) throw new Error(`The page complained:\n${complaints.join("\n")}`);
  },
});

/** The same with what journeys at the application of the run need: every worker has one, and starts it at first need. */
export const test = pageTest.extend<Fixtures, { shared: Place }>({
  shared: [
    // Playwright names fixtures by this pattern, also where nothing else is needed.
    // eslint-disable-next-line no-empty-pattern
    async ({}, use, { parallelIndex }) => {
      const logFile = path.resolve("test-results", `application-${parallelIndex}.log`);
      const place = await startPlace({ hashtags: HASHTAGS, logFile }, () => Promise.resolve({}));
      await use(place);
      await place.takeDown();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  baseURL: async ({ shared }, use) => use(shared.app.url),
  admin: async ({ shared }, use) => {
    await use(await openSession(shared.app.url, ADMIN.email, ADMIN.password));
  },
  desk: async ({ page, context, admin, shared }, use) => {
    await context.addCookies(sessionCookies(admin, shared.app.url));
    await use(page);
  },
});
