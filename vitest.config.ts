import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";

const shared = {
  environment: "node" as const,
  setupFiles: ["tests/setup/vitest-setup.ts"],
  globalSetup: ["tests/setup/vitest-global.ts"],
  // Slow tests (*.slow.test.ts) run with `npm test -- --all`, or when named on the command line.
  exclude: [...configDefaults.exclude, ...(process.env.TEST_SLOW ? [] : ["**/*.slow.test.ts"])],
  restoreMocks: true,
  unstubEnvs: true,
  unstubGlobals: true,
  // A test without an assertion fails.
  expect: { requireAssertions: true },
};

const integration = { ...shared, testTimeout: 30_000, hookTimeout: 60_000 };

export default defineConfig({
  // tsconfig.json leaves JSX to Next.
  oxc: { jsx: { runtime: "automatic" } },
  test: {
    maxWorkers: process.env.TEST_WORKERS ?? Math.max(2, availableParallelism()),
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
          // Modules stay loaded between the files of a worker.
          isolate: false,
          testTimeout: 10_000,
        },
      },
      {
        extends: true,
        test: {
          ...integration,
          name: "integration",
          include: ["tests/integration/**/*.test.ts"],
          exclude: [...shared.exclude, "**/*.isolated*.test.ts", "**/*.slow.test.ts"],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          ...integration,
          // Files that mock modules or set variables that are read once, and slow ones, which change the pool or the schema.
          name: "isolated",
          include: ["tests/integration/**/*.{isolated,slow}*.test.ts"],
        },
      },
    ],
  },
});
