import type { Installation } from "./installation.ts";
import { pageTest } from "./journey.ts";
import type { Place } from "./place.ts";

/**
 * The test of a file of journeys that have an installation of their own, `place`: it is started before the first of
 * them and taken down after the last. Each call gives a place of its own, so call it once a file.
 */
export function testAt<P extends Installation>(start: () => Promise<P>) {
  return pageTest.extend<object, { place: P }>({
    place: [
      // Playwright names fixtures by this pattern, also where nothing else is needed.
      // eslint-disable-next-line no-empty-pattern
      async ({}, use) => {
        const place = await start();
        await use(place);
        await place.takeDown();
      },
      { scope: "worker", timeout: 120_000 },
    ],
  });
}

/** The same, and every `page` has its administrator signed in. */
export function signedInTestAt<P extends Place>(start: () => Promise<P>) {
  return testAt<P>(start).extend({
    page: async ({ page, place }, use) => {
      await place.admit(page.context());
      await use(page);
    },
  });
}
