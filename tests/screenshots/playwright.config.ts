import { defineConfig } from "@playwright/test";
import shared from "../../playwright.config.ts";

/* `npm run screenshots`. */

export default defineConfig({
  ...shared,
  testDir: ".",
  testMatch: "screenshots.ts",
  globalSetup: "../setup/playwright-global.ts",
  outputDir: "../../test-results/screenshots",
  fullyParallel: true,
  timeout: 120_000,
  use: { ...shared.use, trace: "off", screenshot: "off", reducedMotion: "reduce" },
});
