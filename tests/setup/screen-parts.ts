import type { Locator, Page } from "@playwright/test";

/** A panel of a page, by its heading. */
export function panelOf(page: Page, title: string): Locator {
  return page.locator("section").filter({ has: page.getByRole("heading", { name: title, exact: true }) });
}

/** The figure that stands under a name, as it is written. */
export function statIn(place: Locator, label: string): Locator {
  return place.getByText(label, { exact: true }).locator("xpath=following-sibling::span[1]/span[1]");
}

/** A message at the edge of the screen. */
export function message(page: Page, text: string | RegExp): Locator {
  return page
    .getByRole("region", { name: /Messages/ })
    .getByText(text)
    .first();
}
