import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, chmodSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { variableNames } from "#lib/env.ts";
import { ensurePrismaClient } from "#lib/runtime/prisma-client.ts";

/*
 * `npm test` and `npm run check`: every stage with its time, then one line that counts them all. A stage that
 * is a single verdict (types, lint) counts as one; a test runner counts each of its tests.
 */

type Count = { passed: number; failed: number };
type Stage = {
  name: string;
  /** A file of an installed package, and what it is told. */
  command: [file: string, ...parameters: string[]];
  /** Where the runner leaves its counts; without it the exit code is the verdict. */
  count?: (report: string) => Count;
  /** Shows what it prints as it comes; otherwise only when it fails. */
  isLoud?: boolean;
};

const begun = performance.now();
const root = path.resolve(import.meta.dirname, "..");
const scratch = mkdtempSync(path.join(tmpdir(), "sluice-tests-"));
// As root the databases have an account of their own, which has to get in here.
chmodSync(scratch, 0o711);
const reports = path.join(scratch, "reports");
mkdirSync(reports);
const running = new Set<ChildProcess>();
const total: Count = { passed: 0, failed: 0 };

const format: Stage = { name: "format", command: ["prettier/bin/prettier.cjs", "--check", "."] };
const types: Stage = { name: "types", command: ["typescript/bin/tsc", "--noEmit", "-p", "."] };
const lint: Stage = { name: "lint", command: ["eslint/bin/eslint.js", ".", "--max-warnings", "0"] };
const deadCode: Stage = { name: "dead code", command: ["knip/bin/knip.js"] };
const unitAndIntegration: Stage = {
  name: "unit and integration tests",
  command: ["vitest/vitest.mjs", "run"],
  count: countVitest,
  isLoud: true,
};
const build: Stage = { name: "production build", command: ["../lib/runtime/prepare-build.ts"] };
const journeys: Stage = {
  name: "journeys in a browser",
  command: ["@playwright/test/cli.js", "test"],
  count: countPlaywright,
  isLoud: true,
};

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end(130));

await ensurePrismaClient();
if (process.argv.includes("--check")) {
  await together([lint, types, format, deadCode]);
  await run(unitAndIntegration);
} else {
  await together([lint, types, format]);
  await run(unitAndIntegration);
  if (await run(build)) await run(journeys);
  else failed("journeys in a browser", "there is no build to walk through");
}
console.log(`\nEverything took ${seconds(begun)}.`);
console.log(`${total.passed} passed, ${total.failed} failed`);
await end(total.failed === 0 ? 0 : 1);

/** Two at a time, the longest first: more would only make each other slower on a small machine. */
async function together(stages: Stage[]): Promise<void> {
  const queue = [...stages];
  const lane = async () => {
    for (let stage = queue.shift(); stage !== undefined; stage = queue.shift()) await run(stage);
  };
  await Promise.all([lane(), lane()]);
}

/** Runs one stage and adds what it counted; returns whether all of it passed. */
async function run(stage: Stage): Promise<boolean> {
  const start = performance.now();
  if (stage.isLoud) console.log(`\n— ${stage.name}`);
  const report = path.join(reports, `${stage.name.replaceAll(" ", "-")}.json`);
  const { code, output } = await execute(stage, report);
  const count = stage.count?.(report) ?? { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
  // A runner that broke down counts as a failure even when every test it got to passed.
  if (code !== 0 && count.failed === 0) count.failed = 1;
  total.passed += count.passed;
  total.failed += count.failed;
  if (count.failed > 0 && !stage.isLoud) console.log(output.trimEnd());
  const figures = stage.count === undefined ? "" : `: ${count.passed} good, ${count.failed} bad`;
  console.log(`${count.failed === 0 ? "✓" : "✗"} ${stage.name}${figures} (${seconds(start)})`);
  return count.failed === 0;
}

function failed(name: string, why: string): void {
  total.failed += 1;
  console.log(`✗ ${name}: ${why}`);
}

async function execute(stage: Stage, report: string): Promise<{ code: number; output: string }> {
  const [file, ...parameters] = stage.command;
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", path.join(root, "node_modules", file), ...parameters],
    { cwd: root, env: environment(report), stdio: ["ignore", "pipe", "pipe"] },
  );
  running.add(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      if (stage.isLoud) process.stdout.write(chunk);
      else output += chunk.toString();
    });
  }
  const code = await new Promise<number>((resolve) => {
    child.on("error", () => resolve(1));
    child.on("close", (status) => resolve(status ?? 1));
  });
  running.delete(child);
  return { code, output };
}

/** What a developer keeps in the shell must not reach the tests, nor the tests the shared temporary folder. */
function environment(report: string): NodeJS.ProcessEnv {
  const kept = { ...process.env };
  for (const name of variableNames) delete kept[name];
  return {
    ...kept,
    TMPDIR: scratch,
    TEST_REPORT_FILE: report,
    NEXT_TELEMETRY_DISABLED: "1",
    // Playwright colours its workers' output unless told so in just this way.
    FORCE_COLOR: "0",
    CI: "1",
  };
}

function countVitest(report: string): Count {
  type Report = {
    numPassedTests: number;
    numFailedTests: number;
    testResults: { status: string; assertionResults: { status: string }[] }[];
  };
  const result = readReport<Report>(report);
  if (result === null) return { passed: 0, failed: 1 };
  // A file that could not even be loaded has no tests of its own to fail.
  const broken = result.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  );
  return { passed: result.numPassedTests, failed: result.numFailedTests + broken.length };
}

function countPlaywright(report: string): Count {
  type Report = {
    stats: { expected: number; unexpected: number; flaky: number; skipped: number };
    errors: unknown[];
  };
  const result = readReport<Report>(report);
  if (result === null) return { passed: 0, failed: 1 };
  const { expected, unexpected, flaky, skipped } = result.stats;
  return { passed: expected, failed: unexpected + flaky + skipped + result.errors.length };
}

function readReport<T>(file: string): T | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as T;
  } catch {
    return null;
  }
}

async function end(code: number): Promise<never> {
  for (const child of running) child.kill("SIGTERM");
  const ends = [...running].map((child) => new Promise((resolve) => child.once("close", resolve)));
  await Promise.race([Promise.all(ends), new Promise((resolve) => setTimeout(resolve, 15_000))]);
  for (const child of running) child.kill("SIGKILL");
  rmSync(scratch, { recursive: true, force: true });
  process.exit(code);
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
