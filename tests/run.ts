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

interface Result {
  name: string;
  status: "passed" | "failed" | "skipped";
}

interface Stage {
  name: string;
  /** A file below node_modules, and its arguments. */
  command: string[];
  /** Reads the runner's JSON report; without it the exit code decides, and output is printed only on failure. */
  read?: (report: string) => Result[];
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
const results: Result[] = [];
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
results.push(searchLogs());
console.log(`\nEverything took ${seconds(startedAt)}.`);
const of = (status: Result["status"]) => results.filter((result) => result.status === status);
// Once more, because a log of this length is often read from its end.
for (const { name } of of("skipped")) console.log(`– skipped: ${name}`);
for (const { name } of of("failed")) console.log(`✗ ${name}`);
const skipped = of("skipped").length;
console.log(
  `${of("passed").length} passed, ${of("failed").length} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`,
);
await end(of("failed").length === 0 ? 0 : 1);

async function run(stage: Stage): Promise<boolean> {
  const start = performance.now();
  if (stage.read !== undefined) console.log(`\n— ${stage.name}`);
  const report = path.join(scratch, `${stage.name.replaceAll(" ", "-")}.json`);
  const { code, output } = await execute(stage, report);
  const found = resultsOf(stage, report, code);
  results.push(...found);
  const hasFailed = found.some(isFailure);
  if (hasFailed && stage.read === undefined) console.log(output.trimEnd());
  console.log(`${hasFailed ? "✗" : "✓"} ${stage.name} (${seconds(start)})`);
  return !hasFailed;
}

function isFailure({ status }: Result): boolean {
  return status === "failed";
}

function resultsOf({ name, read }: Stage, report: string, code: number): Result[] {
  const whole: Result = { name, status: code === 0 ? "passed" : "failed" };
  if (read === undefined) return [whole];
  try {
    const found = read(readFileSync(report, "utf8"));
    // A runner that crashed has failed, even when all tests before passed.
    return code === 0 || found.some(isFailure) ? found : [...found, whole];
  } catch {
    return [{ name, status: "failed" }];
  }
}

function readVitest(report: string): Result[] {
  interface File {
    name: string;
    status: string;
    assertionResults: { status: string; fullName: string }[];
  }
  const { testResults } = JSON.parse(report) as { testResults: File[] };
  return testResults.flatMap(({ name, status, assertionResults: tests }) => {
    const file = path.relative(root, name);
    // A file that could not be loaded has no tests.
    if (tests.length === 0) return resultOf(status, file);
    return tests.map((test) => resultOf(test.status, `${file} › ${test.fullName}`));
  });
}

function readPlaywright(report: string): Result[] {
  interface Suite {
    file: string;
    suites?: Suite[];
    specs: { title: string; tests: { status: string }[] }[];
  }
  const testsOf = ({ file, specs, suites = [] }: Suite): Result[] => [
    ...specs.flatMap(({ title, tests }) =>
      tests.map(({ status }) => resultOf(status, `tests/e2e/${file} › ${title}`)),
    ),
    ...suites.flatMap(testsOf),
  ];
  return (JSON.parse(report) as { suites: Suite[] }).suites.flatMap(testsOf);
}

/** @param status of Vitest or Playwright */
function resultOf(status: string, name: string): Result {
  if (status === "passed" || status === "expected") return { name, status: "passed" };
  return { name, status: status === "skipped" || status === "pending" ? "skipped" : "failed" };
}

/** No output of the run or of a server holds a credential. Counts as one test. */
function searchLogs(): Result {
  const credentials =
    /\bslc_[\w-]{40,}|\bpostgres(?:ql)?:\/\/[^\s:/@"]+:[^\s@"]{12,}@|session-token(?:=|["\s:]+)[\w-]{20,}|\bBearer [\w.~+/-]{16,}|\$argon2id\$/;
  const found = readdirSync(logs).flatMap((file) =>
    readFileSync(path.join(logs, file), "utf8")
      .split("\n")
      .flatMap((line, index) => (credentials.test(line) ? [`${file}:${index + 1}`] : [])),
  );
  const name = `a credential in the output: ${found.slice(0, 20).join(", ")}`;
  return { name, status: found.length === 0 ? "passed" : "failed" };
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
