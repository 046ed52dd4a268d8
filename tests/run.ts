import { spawn, type ChildProcess } from "node:child_process";
import { appendFileSync, chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { variableNames } from "#lib/env.ts";
import { ensurePrismaClient } from "#lib/runtime/install/prisma-client.ts";
import { scanFolder } from "./setup/credentials.ts";
import { isLogLine, splitLines } from "./setup/log-lines.ts";
import { countPlaywright, countVitest, type Count } from "./setup/test-reports.ts";

/*
 * `npm test` and `npm run check`: runs each stage, prints its time, and ends with one line of counts. Types, lint and
 * formatting count as one test each.
 */

const HELP = `Usage: npm test [-- ARGUMENTS]

  npm test                 static checks, unit, integration and browser tests without the slow ones; lint without the
                           rules that need types
  npm test -- --all        all of them, with all rules and the slow tests (*.slow.test.ts, *.slow.spec.ts, @slow)
  npm test -- PATH...      these test files only, slow or not; browser tests build the application when needed
  npm run check            static checks with all rules, unused code, unit and integration tests; no browser
  npm test -- --help       this text
`;

type Stage = {
  name: string;
  /** A file below node_modules, and its arguments. */
  command: [file: string, ...parameters: string[]];
  /** Reads the runner's report; without it the exit code decides. */
  count?: (report: string) => Count;
  /** Prints output as it comes; otherwise only when the stage fails. */
  isLoud?: boolean;
  settings?: Record<string, string>;
};

const isTestFile = (file: string) => /\.(test|spec)\.tsx?$/.test(file);
const isBrowserTest = (file: string) => file.endsWith(".spec.ts");

const startedAt = performance.now();
const root = path.resolve(import.meta.dirname, "..");
const { mode, files } = readArguments(process.argv.slice(2));
const scratch = mkdtempSync(path.join(tmpdir(), "sluice-tests-"));
// When tests run as root, the databases run under another account, which needs access.
chmodSync(scratch, 0o711);
const reports = path.join(scratch, "reports");
mkdirSync(reports);
// The output of this run and of all servers that tests start, and the credentials that must not be in it.
const logs = path.join(scratch, "logs");
mkdirSync(logs);
const credentials = path.join(scratch, "credentials");
const running = new Set<ChildProcess>();
const total = { passed: 0, failed: 0, failures: [] as string[] };

const format: Stage = { name: "format", command: ["prettier/bin/prettier.cjs", "--check", "."] };
const schemaFormat: Stage = {
  name: "schema format",
  command: ["prisma/build/index.js", "format", "--check"],
};
const types: Stage = { name: "types", command: ["typescript/bin/tsc", "--noEmit", "-p", "."] };
const lint: Stage = { name: "lint", command: ["eslint/bin/eslint.js", ".", "--max-warnings", "0"] };
const unusedCode: Stage = { name: "unused code", command: ["knip/bin/knip.js"] };
const build: Stage = { name: "production build", command: ["../lib/runtime/install/prepare-build.ts"] };

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end(130));

await ensurePrismaClient();
if (mode === "files") {
  const browserTests = files.filter(isBrowserTest);
  const otherTests = files.filter((file) => !isBrowserTest(file));
  if (otherTests.length > 0) await run(unitAndIntegration(otherTests));
  if (browserTests.length > 0) await run(browser(browserTests));
} else if (mode === "check") {
  await Promise.all([inOrder([types, format, schemaFormat, unusedCode, lint]), run(unitAndIntegration())]);
} else {
  // The static checks and the build use the time in which the tests wait for the database.
  const [isBuilt] = await Promise.all([
    inOrder([types, format, schemaFormat, build, lint]),
    run(unitAndIntegration()),
  ]);
  if (isBuilt.get(build)) await run(browser());
  else fail("browser tests", "the production build failed");
}
searchOutput();
console.log(`\nEverything took ${seconds(startedAt)}.`);
// Listed once more, because a log of this length is often read from its end.
for (const failure of total.failures) console.log(`✗ ${failure}`);
console.log(`${total.passed} passed, ${total.failed} failed`);
await end(total.failed === 0 ? 0 : 1);

function unitAndIntegration(paths: string[] = []): Stage {
  return {
    name: "unit and integration tests",
    command: ["vitest/vitest.mjs", "run", ...paths],
    count: countVitest,
    isLoud: true,
    // Not shown; searched for credentials.
    settings: { LOG_LEVEL: "debug", LOG_REQUESTS: "on" },
  };
}

function browser(paths: string[] = []): Stage {
  return {
    name: "browser tests",
    command: ["@playwright/test/cli.js", "test", ...paths],
    count: countPlaywright,
    isLoud: true,
  };
}

interface Arguments {
  mode: "fast" | "all" | "check" | "files";
  files: string[];
}

function readArguments(given: string[]): Arguments {
  if (given.includes("--help") || given.includes("-h")) {
    process.stdout.write(HELP);
    process.exit(0);
  }
  const options = given.filter((each) => each.startsWith("-"));
  const paths = given
    .filter((each) => !each.startsWith("-"))
    .map((each) => path.relative(root, path.resolve(each)));
  const unknown = options.find((each) => each !== "--all" && each !== "--check");
  if (unknown !== undefined) refuse(`Unknown argument ${unknown}.`);
  if (given.length > 1 && options.length > 0) refuse(`${options[0]} takes no other argument.`);
  for (const file of paths) {
    if (!statSync(path.join(root, file), { throwIfNoEntry: false })?.isFile())
      refuse(`There is no file ${file}.`);
    if (!isTestFile(file)) refuse(`${file} is not a test file (*.test.ts, *.test.tsx, *.spec.ts).`);
  }
  if (paths.length > 0) return { mode: "files", files: paths };
  const mode = options[0] === "--all" ? "all" : options[0] === "--check" ? "check" : "fast";
  return { mode, files: [] };
}

function refuse(sentence: string): never {
  console.error(`${sentence} See npm test -- --help.`);
  process.exit(2);
}

/** Runs stages one after the other; returns whether each passed. */
async function inOrder(stages: Stage[]): Promise<Map<Stage, boolean>> {
  const passed = new Map<Stage, boolean>();
  for (const stage of stages) passed.set(stage, await run(stage));
  return passed;
}

/** Runs one stage and adds its counts; returns whether all of it passed. */
async function run(stage: Stage): Promise<boolean> {
  const start = performance.now();
  if (stage.isLoud) console.log(`\n— ${stage.name}`);
  const report = path.join(reports, `${stage.name.replaceAll(" ", "-")}.json`);
  const { code, output } = await execute(stage, report);
  const count = stage.count?.(report) ?? { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
  // A runner that crashed has failed, even when all tests before passed.
  if (code !== 0 && count.failed === 0) count.failed = 1;
  total.passed += count.passed;
  total.failed += count.failed;
  if (count.failed > 0) total.failures.push(...(count.failures ?? [stage.name]));
  if (count.failed > 0 && !stage.isLoud) console.log(output.trimEnd());
  const figures = stage.count === undefined ? "" : `: ${count.passed} passed, ${count.failed} failed`;
  console.log(`${count.failed === 0 ? "✓" : "✗"} ${stage.name}${figures} (${seconds(start)})`);
  if (files.length === 0 && count.slowest !== undefined) printSlowest(count.slowest);
  return count.failed === 0;
}

function printSlowest(slowest: { file: string; ms: number }[]): void {
  const top = slowest.toSorted((a, b) => b.ms - a.ms).slice(0, 10);
  console.log("  Slowest files:");
  for (const { file, ms } of top) console.log(`  ${(ms / 1000).toFixed(1).padStart(6)} s  ${file}`);
}

function fail(name: string, reason: string): void {
  total.failed += 1;
  total.failures.push(`${name}: ${reason}`);
  console.log(`✗ ${name}: ${reason}`);
}

/** Counts as one test. */
function searchOutput(): void {
  const { found, bytes } = scanFolder(logs, credentials);
  const name = `no credential in the output (${Math.ceil(bytes / 1000)} kB)`;
  if (found.length === 0) {
    total.passed += 1;
    console.log(`✓ ${name}`);
    return;
  }
  total.failed += 1;
  const places = found.slice(0, 20).map(({ place, kind }) => `  ${place}: ${kind}`);
  total.failures.push(`${name}: ${found.length} lines\n${places.join("\n")}`);
  // Kept, because the folder of the run is deleted.
  const kept = path.join(root, "test-results", "logs");
  rmSync(kept, { recursive: true, force: true });
  cpSync(logs, kept, { recursive: true });
  console.log(`✗ ${name}: see ${path.relative(root, kept)}`);
}

async function execute(stage: Stage, report: string): Promise<{ code: number; output: string }> {
  const [file, ...parameters] = stage.command;
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", path.join(root, "node_modules", file), ...parameters],
    { cwd: root, env: { ...environment(report), ...stage.settings }, stdio: ["ignore", "pipe", "pipe"] },
  );
  running.add(child);
  let output = "";
  const log = path.join(logs, `${path.basename(report, ".json")}.log`);
  for (const stream of [child.stdout, child.stderr]) {
    splitLines(stream, (line) => {
      appendFileSync(log, line);
      if (!stage.isLoud) output += line;
      else if (!isLogLine(line)) process.stdout.write(line);
    });
  }
  const code = await new Promise<number>((resolve) => {
    child.on("error", () => resolve(1));
    child.on("close", (status) => resolve(status ?? 1));
  });
  running.delete(child);
  return { code, output };
}

/** Settings of the developer's shell do not reach the tests, and the tests' files stay out of the shared TMPDIR. */
function environment(report: string): NodeJS.ProcessEnv {
  const kept = { ...process.env };
  for (const name of variableNames) delete kept[name];
  return {
    ...kept,
    TMPDIR: scratch,
    TEST_REPORT_FILE: report,
    TEST_LOG_FOLDER: logs,
    TEST_CREDENTIALS_FILE: credentials,
    // Read by vitest.config.ts and playwright.config.ts.
    TEST_SLOW: mode === "all" || mode === "files" ? "1" : "",
    // Read by eslint.config.js.
    LINT_FAST: mode === "fast" ? "1" : "",
    NEXT_TELEMETRY_DISABLED: "1",
    // NO_COLOR does not stop the colours of Playwright's workers.
    FORCE_COLOR: "0",
    CI: "1",
  };
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
