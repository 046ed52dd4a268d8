import path from "node:path";
import type { Page } from "@playwright/test";
import { expect, installationTest, sampleTest as full } from "#tests/setup/browser-test.ts";
import { query } from "#tests/setup/database.ts";
import { HASHTAGS, startWithAdmin, type AdminInstallation } from "#tests/setup/installation.ts";
import { listPages, type PagePath } from "#tests/setup/page-checks.ts";

/*
 * Takes a picture of every page at 1920, 1280 and 390 pixels, light and dark, with sample data and without data, and of some
 * dialogs at 1280 and 390, into screenshots/.
 */

type Shown = PagePath & { act?: (page: Page) => Promise<unknown> };

/** Longer pages are cut. */
const MAX_HEIGHT = 6_000;

const empty = installationTest(() =>
  startWithAdmin({ posts: 0, hashtags: HASHTAGS }, () => Promise.resolve({})),
);

const press = (key: string) => async (page: Page) => {
  // The scripts may not have loaded yet.
  await expect(async () => {
    await page.keyboard.press(key);
    await page.getByRole("dialog").first().waitFor({ timeout: 1_000 });
  }).toPass();
};

/** Dialogs and states that an address alone does not show. */
const scenes: Shown[] = [
  { name: "desk-keys", path: "/review", act: press("?") },
  { name: "desk-checks", path: "/review", act: press("k") },
  { name: "desk-block-author", path: "/review", act: press("b") },
  { name: "desk-note", path: "/review", act: (page) => page.keyboard.press("n") },
  { name: "desk-done", path: "/review?q=nothing-has-this-word" },
  { name: "grid", path: "/review?view=grid" },
  { name: "palette", path: "/", act: press("Control+k") },
  { name: "streams-add", path: "/streams?add=1" },
];

for (const shown of listPages({}))
  empty(`empty ${shown.name}`, ({ page, installation }) =>
    takePictures(page, installation, shown, "empty", [1920, 1280, 390]),
  );

// The ids are known when the data is there.
for (const [at, { name }] of listPages({ streamId: 1, postId: 1, account: "a", keyId: 1 }).entries())
  full(`full ${name}`, async ({ page, installation }) => {
    const { streamId, duplicate: postId, account, keyId } = installation.sample;
    // Home warns as after the first ten minutes.
    await query(installation.databaseUrl, "UPDATE installation SET alerts_from = now()");
    const shown = listPages({ streamId, postId, account, keyId })[at];
    await takePictures(page, installation, shown ?? { name, path: "/" }, "full", [1920, 1280, 390]);
  });

for (const scene of scenes)
  full(`scene ${scene.name}`, ({ page, installation }) =>
    takePictures(page, installation, scene, "full", [1280, 390]),
  );

async function takePictures(
  page: Page,
  { app, signIn }: AdminInstallation,
  { name, path: where, signedOut = false, act }: Shown,
  folder: string,
  widths: readonly number[],
): Promise<void> {
  if (!signedOut) await signIn(page.context());
  for (const width of widths) {
    const height = width < 720 ? 844 : width > 1280 ? 1080 : 800;
    await page.setViewportSize({ width, height });
    await page.goto(app.url + where);
    await page.locator("h1, [role=dialog]").first().waitFor();
    await act?.(page);
    if (widths.length === 3) {
      // Fixed bars stay at the edges, and lazy pictures load.
      const whole = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ width, height: Math.max(height, Math.min(whole, MAX_HEIGHT)) });
    }
    await page.waitForLoadState("networkidle", { timeout: 3_000 }).catch(() => undefined);
    for (const theme of ["light", "dark"] as const) {
      await page.evaluate((chosen) => {
        document.documentElement.dataset.theme = chosen;
        return document.fonts.ready.then(() => undefined);
      }, theme);
      const file = path.join("screenshots", folder, `${name}-${width}-${theme}.png`);
      await page.screenshot({ path: file, animations: "disabled" });
    }
  }
}
