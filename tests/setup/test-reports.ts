import { readFileSync } from "node:fs";
import path from "node:path";

/* Reads the JSON reports of Vitest and Playwright. */

export type Count = {
  passed: number;
  failed: number;
  /** Of each failed test its file, its name and the first line of its error. */
  failures?: string[];
  slowest?: { file: string; ms: number }[];
};

const root = path.resolve(import.meta.dirname, "../..");

export function countVitest(report: string): Count {
  type Report = {
    numPassedTests: number;
    numFailedTests: number;
    testResults: {
      name: string;
      status: string;
      startTime: number;
      endTime: number;
      message: string;
      assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
    }[];
  };
  const result = readReport<Report>(report);
  if (result === null) return { passed: 0, failed: 1 };
  // A file that could not be loaded has no failed tests.
  const broken = result.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  );
  return {
    passed: result.numPassedTests,
    failed: result.numFailedTests + broken.length,
    failures: [
      ...broken.map((file) => failure(path.relative(root, file.name), "", file.message)),
      ...result.testResults.flatMap(({ name, assertionResults }) =>
        assertionResults
          .filter(({ status }) => status === "failed")
          .map((test) => failure(path.relative(root, name), test.fullName, test.failureMessages[0])),
      ),
    ],
    slowest: result.testResults.map(({ name, startTime, endTime }) => ({
      file: path.relative(root, name),
      ms: endTime - startTime,
    })),
  };
}

export function countPlaywright(report: string): Count {
  type Suite = {
    file: string;
    title: string;
    suites?: Suite[];
    specs: {
      title: string;
      tests: { status: string; results: { duration: number; error?: { message?: string } }[] }[];
    }[];
  };
  type Report = {
    stats: { expected: number; unexpected: number; flaky: number; skipped: number };
    errors: { message?: string }[];
    suites: Suite[];
  };
  const result = readReport<Report>(report);
  if (result === null) return { passed: 0, failed: 1 };
  const { expected, unexpected, flaky, skipped } = result.stats;
  const failuresIn = (suite: Suite, titles: string[] = []): string[] => [
    ...suite.specs.flatMap(({ title, tests }) =>
      tests
        .filter(({ status }) => status !== "expected")
        .map(({ status, results }) => {
          const name = [...titles, title].join(" ");
          const error = results.find((each) => each.error !== undefined)?.error?.message;
          return failure(`tests/e2e/${suite.file}`, name, error ?? status);
        }),
    ),
    ...(suite.suites ?? []).flatMap((inner) => failuresIn(inner, [...titles, inner.title])),
  ];
  const duration = (suite: Suite): number =>
    [
      ...suite.specs.flatMap(({ tests }) =>
        tests.flatMap(({ results }) => results.map((each) => each.duration)),
      ),
      ...(suite.suites ?? []).map(duration),
    ].reduce((sum, each) => sum + each, 0);
  return {
    passed: expected,
    failed: unexpected + flaky + skipped + result.errors.length,
    failures: [
      ...result.errors.map(({ message }) => failure("browser tests", "", message)),
      ...result.suites.flatMap((suite) => failuresIn(suite)),
    ],
    slowest: result.suites.map((suite) => ({ file: `tests/e2e/${suite.file}`, ms: duration(suite) })),
  };
}

function failure(file: string, name: string, message = ""): string {
  const line = message.split("\n").find((each) => each.trim() !== "") ?? "";
  return [file, name, line.trim()].filter((each) => each !== "").join(" › ");
}

function readReport<T>(file: string): T | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as T;
  } catch {
    return null;
  }
}
