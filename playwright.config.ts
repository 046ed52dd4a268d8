import { defineConfig } from "@playwright/test";
import type { TestBrowser } from "#tests/setup/chromium.ts";

// Set by the global setup before the workers read this file.
const browser = process.env.E2E_BROWSER ? (JSON.parse(process.env.E2E_BROWSER) as TestBrowser) : undefined;

export default defineConfig({
  testDir: "tests/e2e",
  testMatch: "**/*.spec.ts",
  // Slow files, and tests with the tag @slow, run with `npm test -- --all`, or when named on the command line.
  testIgnore: process.env.TEST_SLOW ? [] : "**/*.slow.spec.ts",
  ...(process.env.TEST_SLOW ? {} : { grepInvert: /@slow/ }),
  globalSetup: "./tests/setup/playwright-global.ts",
  outputDir: "test-results/journeys",
  // Tests of a file share an installation, so they run in order.
  workers: 2,
  fullyParallel: false,
  forbidOnly: true,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: process.env.TEST_REPORT_FILE
    ? [["list"], ["json", { outputFile: process.env.TEST_REPORT_FILE }]]
    : [["list"]],
  use: {
    viewport: { width: 1280, height: 800 },
    locale: "en-GB",
    timezoneId: "UTC",
    // Screenshots would take a sixth of the run time; traces contain the DOM of each step.
    trace: { mode: "retain-on-failure", screenshots: false },
    screenshot: "only-on-failure",
    ...(browser === undefined ? {} : { launchOptions: browser }),
  },
});
