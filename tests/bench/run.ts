import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { build, isBuilt } from "#lib/runtime/install/build.ts";
import { apiNames, runApiGroup, type Row } from "./api-group.ts";
import { runClassifyGroup } from "./classify-group.ts";
import { runDeskGroup } from "./desk-group.ts";
import { runGrowthGroup } from "./growth-group.ts";
import { runIngestGroup } from "./ingest-group.ts";
import { runSoakGroup } from "./soak-group.ts";
import { addComparisonRoute } from "./server.ts";

/* `npm run bench -- [--only GROUP] [--quick] [--json FILE]`. See README.md. */

const { values } = parseArgs({
  options: { only: { type: "string" }, quick: { type: "boolean", default: false }, json: { type: "string" } },
});
const say = (line: string) => process.stdout.write(`${line}\n`);
const groups = ["api", "desk", "soak", "growth", "ingest", "classify"];
const only = values.only;
const names = apiNames.filter((name) => only === undefined || only === "api" || only === name);
const withDesk = only === undefined || only === "desk";
const withSoak = only === "soak" || (only === undefined && !values.quick);
const withClassify = only === undefined || only === "classify";
const withGrowth = only === undefined || only === "growth";
const withIngest = only === undefined || only === "ingest";
const withApplication = names.length > 0 || withDesk || withSoak || withGrowth;
if (!withApplication && !withIngest && !withClassify) {
  say(`There is no group "${only}". Groups: ${groups.join(", ")}; or one name of: ${apiNames.join(", ")}.`);
  process.exit(2);
}

if (withApplication) {
  addComparisonRoute();
  if (!(await isBuilt())) {
    say("Building the application first");
    await build();
  }
}

const rows: Row[] = [];
// First, because the other groups leave the machine busy writing.
if (withDesk) await measureDesk();
if (names.length > 0) await measureApi();
if (withSoak) await measureSoak();
if (withGrowth) await measureGrowth();
if (withIngest) await measureIngest();
if (withClassify) await measureClassify();
if (values.json !== undefined) say(`Written to ${values.json}`);

async function measureDesk(): Promise<void> {
  const length = values.quick
    ? { decisions: 12, seconds: 10, cut: 2 }
    : { decisions: 60, seconds: 60, cut: 10 };
  for (const row of await runDeskGroup({ posts: 10_000, ...length, report: say })) {
    await keep([row]);
    say(figuresOf(row));
  }
}

async function measureApi(): Promise<void> {
  const wanted = new Set<string>([...names, "bare", "select1"]);
  const sizes = values.quick ? [1_000] : [1_000, 100_000, 1_000_000];
  await runApiGroup(
    apiNames.filter((name) => wanted.has(name)),
    sizes,
    {
      seconds: values.quick ? 0.7 : 2,
      rounds: values.quick ? 1 : 3,
      report: say,
      keep: async (measured) => {
        say(
          "name            posts    clients     req/s   p50 ms   p95 ms   p99 ms   of select1   of bare   of smallest",
        );
        await keep(measured);
        for (const size of sizes) {
          for (const row of measured) if (row.size === size) say(lineOf(row));
        }
      },
    },
  );
}

async function measureSoak(): Promise<void> {
  const seconds = values.quick ? 30 : 480;
  for (const row of await runSoakGroup({ posts: 100_000, seconds, report: say })) {
    await keep([row]);
    say(figuresOf(row));
  }
}

async function measureGrowth(): Promise<void> {
  for (const row of await runGrowthGroup(values.quick ? 300 : 1_500)) {
    await keep([row]);
    say(figuresOf(row));
  }
}

async function measureIngest(): Promise<void> {
  for (const row of await runIngestGroup(values.quick ? 25 : 100)) {
    await keep([row]);
    say(figuresOf(row));
  }
}

async function measureClassify(): Promise<void> {
  for (const row of await runClassifyGroup({ orders: values.quick ? 2 : 5, report: say })) {
    await keep([row]);
    say(figuresOf(row));
  }
}

function figuresOf({ name, ...figures }: Row): string {
  return `${name}: ${Object.entries(figures)
    .map(([figure, value]) => `${figure} ${round(value)}`)
    .join(", ")}`;
}

async function keep(measured: Row[]): Promise<void> {
  rows.push(...measured);
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify({ rows }, null, 2)}\n`);
}

function round(value: number | string | undefined): number | string {
  if (typeof value !== "number") return value ?? "";
  const digits = Math.abs(value) < 1 ? 1_000 : 10;
  return Math.round(value * digits) / digits;
}

/** A row with its ratios to the two baselines and to its smallest size. */
function lineOf(row: Row): string {
  const share = ({ name, size }: { name: string; size: number | undefined }) => {
    const other = rows.find((r) => r.name === name && r.size === size && r.clients === row.clients)?.rps;
    return other && row.rps ? `${Math.round((100 * row.rps) / other)} %` : "";
  };
  const figure = (value: number | undefined) => (value ?? NaN).toFixed(2).padStart(9);
  return (
    `${row.name.padEnd(13)}${String(row.size).padStart(9)}${String(row.clients).padStart(10)}${(row.rps ?? NaN).toFixed(0).padStart(10)}` +
    figure(row.p50_ms) +
    figure(row.p95_ms) +
    figure(row.p99_ms) +
    share({ name: "select1", size: row.size }).padStart(13) +
    share({ name: "bare", size: row.size }).padStart(10) +
    share({ name: row.name, size: 1_000 }).padStart(14) +
    (row.failures ? `   ${row.failures} failed` : "")
  );
}
