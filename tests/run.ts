import { spawn, type ChildProcess } from "node:child_process";
import { createWriteStream, readdirSync, readFileSync, statSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { variableNames } from "#lib/base/env.ts";
import { ensurePrismaClient } from "#lib/runtime/install/prisma-client.ts";

/* `npm test` and `npm run check`: runs the stages, and ends with one line of counts. A static check counts as one test. */

const HELP = `Usage: npm test [-- ARGUMENTS]

  npm test                 static checks, unit, integration and browser tests without the slow ones
  npm test -- --all        all of them, with the slow tests (*.slow.test.ts, *.slow.spec.ts, @slow), lint with types, unused code
  npm test -- PATH...      these test files only, slow or not; browser tests build the application when needed
  npm run check            static checks, unit and integration tests; no browser
`;

interface Count {
  passed: number;
  failed: number;
  skipped: number;
  /** Failed and skipped tests by name. */
  named: string[];
}

interface Stage {
  name: string;
  /** A file below node_modules, and its arguments. */
  command: string[];
  /** Reads the runner's JSON report; without it the exit code decides, and output is printed only on failure. */
  read?: (report: string) => Count;
}

const root = path.resolve(import.meta.dirname, "..");
const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: { all: { type: "boolean" }, check: { type: "boolean" }, help: { type: "boolean", short: "h" } },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
for (const file of files) {
  if (/\.(test|spec)\.tsx?$/.test(file) && statSync(file, { throwIfNoEntry: false })?.isFile()) continue;
  console.error(`${file} is not a test file (*.test.ts, *.test.tsx, *.spec.ts).\n\n${HELP}`);
  process.exit(2);
}
const isSlow = values.all === true || files.length > 0;

const startedAt = performance.now();
const scratch = await mkdtemp(path.join(tmpdir(), "sluice-tests-"));
// When tests run as root, the databases run under another account.
await chmod(scratch, 0o711);
// The output of this run and of all servers that tests start.
const logs = path.join(scratch, "logs");
await mkdir(logs);
const running = new Set<ChildProcess>();
const total: Count = { passed: 0, failed: 0, skipped: 0, named: [] };
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end(130));

const isBrowserTest = (file: string) => file.endsWith(".spec.ts");
const unit = (paths: string[] = []): Stage => ({
  name: "unit and integration tests",
  command: ["vitest/vitest.mjs", "run", ...paths],
  read: readVitest,
});
const browser = (paths: string[] = []): Stage => ({
  name: "browser tests",
  command: ["@playwright/test/cli.js", "test", ...paths],
  read: readPlaywright,
});
const staticChecks: Stage[] = [
  { name: "types", command: ["typescript/bin/tsc", "--noEmit"] },
  { name: "format", command: ["oxfmt/bin/oxfmt", "--check"] },
  {
    name: "lint",
    command: [
      "oxlint/bin/oxlint",
      "--report-unused-disable-directives",
      ...(values.all ? ["--type-aware"] : []),
    ],
  },
  ...(values.all
    ? [
        { name: "schema format", command: ["prisma/build/index.js", "format", "--check"] },
        { name: "unused code", command: ["knip/bin/knip.js"] },
      ]
    : []),
];
const build: Stage = { name: "production build", command: ["../lib/runtime/install/prepare-build.ts"] };

await ensurePrismaClient();
if (files.length > 0) {
  const others = files.filter((file) => !isBrowserTest(file));
  if (others.length > 0) await run(unit(others));
  if (others.length < files.length) await run(browser(files.filter(isBrowserTest)));
} else {
  for (const stage of staticChecks) await run(stage);
  // The build uses the time in which the tests wait for the database.
  const [isBuilt] = await Promise.all([values.check ? false : run(build), run(unit())]);
  if (isBuilt) await run(browser());
}
searchLogs();
console.log(`\nEverything took ${seconds(startedAt)}.`);
// Once more, because a log of this length is often read from its end.
for (const name of total.named) console.log(name);
console.log(
  `${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ""}`,
);
await end(total.failed === 0 ? 0 : 1);

async function run(stage: Stage): Promise<boolean> {
  const start = performance.now();
  if (stage.read !== undefined) console.log(`\n— ${stage.name}`);
  const report = path.join(scratch, `${stage.name.replaceAll(" ", "-")}.json`);
  const { code, output } = await execute(stage, report);
  const count = readCount(stage, report, code);
  total.passed += count.passed;
  total.failed += count.failed;
  total.skipped += count.skipped;
  total.named.push(...count.named);
  const hasFailed = count.failed > 0;
  if (hasFailed && stage.read === undefined) console.log(output.trimEnd());
  console.log(`${hasFailed ? "✗" : "✓"} ${stage.name} (${seconds(start)})`);
  return !hasFailed;
}

function readCount(stage: Stage, report: string, code: number): Count {
  const failure = { passed: 0, failed: 1, skipped: 0, named: [`✗ ${stage.name}`] };
  if (stage.read === undefined) return code === 0 ? { ...failure, passed: 1, failed: 0, named: [] } : failure;
  try {
    const count = stage.read(readFileSync(report, "utf8"));
    // A runner that crashed has failed, even when all tests before passed.
    return code !== 0 && count.failed === 0 ? { ...count, failed: 1, named: failure.named } : count;
  } catch {
    return failure;
  }
}

function readVitest(report: string): Count {
  interface File {
    name: string;
    status: string;
    assertionResults: { status: string; fullName: string }[];
  }
  const { testResults } = JSON.parse(report) as { testResults: File[] };
  const count: Count = { passed: 0, failed: 0, skipped: 0, named: [] };
  for (const { name, status, assertionResults } of testResults) {
    const file = path.relative(root, name);
    for (const test of assertionResults) note(count, test.status, `${file} › ${test.fullName}`);
    // A file that could not be loaded has no failed tests.
    if (status === "failed" && !assertionResults.some((test) => test.status === "failed"))
      note(count, "failed", file);
  }
  return count;
}

function readPlaywright(report: string): Count {
  interface Suite {
    file: string;
    suites?: Suite[];
    specs: { title: string; tests: { status: string }[] }[];
  }
  const { suites, errors } = JSON.parse(report) as { suites: Suite[]; errors: object[] };
  const count: Count = { passed: 0, failed: 0, skipped: 0, named: [] };
  const walk = (suite: Suite) => {
    for (const { title, tests } of suite.specs) {
      for (const test of tests) note(count, test.status, `tests/e2e/${suite.file} › ${title}`);
    }
    suite.suites?.forEach(walk);
  };
  suites.forEach(walk);
  for (const _ of errors) note(count, "failed", "browser tests");
  return count;
}

/** @param status "passed", "expected", "skipped", "pending" (skipped in Vitest), or another one of a failure */
function note(count: Count, status: string, name: string): void {
  if (status === "passed" || status === "expected") count.passed += 1;
  else if (status === "skipped" || status === "pending") {
    count.skipped += 1;
    count.named.push(`– skipped: ${name}`);
  } else {
    count.failed += 1;
    count.named.push(`✗ ${name}`);
  }
}

/** No output of the run or of a server holds a credential. Counts as one test. */
function searchLogs(): void {
  const credentials =
    /\bslc_[\w-]{40,}|\bpostgres(?:ql)?:\/\/[^\s:/@"]+:[^\s@"]{12,}@|session-token(?:=|["\s:]+)[\w-]{20,}|\bBearer [\w.~+/-]{16,}|\$argon2id\$/;
  const found = readdirSync(logs).flatMap((file) =>
    readFileSync(path.join(logs, file), "utf8")
      .split("\n")
      .flatMap((line, index) => (credentials.test(line) ? [`${file}:${index + 1}`] : [])),
  );
  note(
    total,
    found.length === 0 ? "passed" : "failed",
    `a credential in the output: ${found.slice(0, 20).join(", ")}`,
  );
}

async function execute(stage: Stage, report: string): Promise<{ code: number; output: string }> {
  const [file = "", ...parameters] = stage.command;
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", path.join(root, "node_modules", file), ...parameters],
    { cwd: root, env: environment(report), stdio: ["ignore", "pipe", "pipe"] },
  );
  running.add(child);
  let output = "";
  const log = createWriteStream(path.join(logs, `${path.basename(report, ".json")}.log`));
  for (const stream of [child.stdout, child.stderr]) {
    stream.pipe(log, { end: false });
    if (stage.read !== undefined) stream.pipe(process.stdout, { end: false });
    else stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  }
  const code = await new Promise<number>((resolve) => {
    child.on("error", () => resolve(1));
    child.on("close", (status) => resolve(status ?? 1));
  });
  running.delete(child);
  await new Promise<void>((resolve) => log.end(resolve));
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
    // Read by vitest.config.ts and playwright.config.ts.
    TEST_SLOW: isSlow ? "1" : "",
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
  await rm(scratch, { recursive: true, force: true });
  process.exit(code);
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}
