import { defineConfig } from "vitest/config";

const shared = {
  environment: "node" as const,
  setupFiles: ["tests/setup/strictness.ts"],
  restoreMocks: true,
  unstubEnvs: true,
  unstubGlobals: true,
  // A test that asserts nothing proves nothing.
  expect: { requireAssertions: true },
};

export default defineConfig({
  // The project's own tsconfig keeps JSX for Next to compile.
  oxc: { jsx: { runtime: "automatic" } },
  test: {
    maxWorkers: process.env.TEST_WORKERS ?? 2,
    reporters: process.env.TEST_REPORT_FILE ? ["default", "json"] : ["default"],
    ...(process.env.TEST_REPORT_FILE ? { outputFile: { json: process.env.TEST_REPORT_FILE } } : {}),
    projects: [
      {
        extends: true,
        test: {
          ...shared,
          name: "unit",
          include: [
            "lib/**/*.test.ts",
            "components/**/*.test.{ts,tsx}",
            "app/**/*.test.{ts,tsx}",
            "tests/*.test.ts",
          ],
          globalSetup: ["tests/setup/generated-client.ts"],
          testTimeout: 10_000,
        },
      },
      {
        extends: true,
        test: {
          ...shared,
          name: "integration",
          include: ["tests/integration/**/*.test.ts"],
          globalSetup: ["tests/setup/global.ts"],
          setupFiles: [...shared.setupFiles, "tests/setup/database.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
