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

const {
  values: { only, quick, json },
} = parseArgs({
  options: { only: { type: "string" }, quick: { type: "boolean", default: false }, json: { type: "string" } },
});
const say = (line: string) => process.stdout.write(`${line}\n`);

const groups: Record<string, () => Promise<Row[]>> = {
  // First, because the other groups leave the machine busy writing.
  desk: () =>
    runDeskGroup({
      posts: 10_000,
      ...(quick ? { decisions: 12, seconds: 10, cut: 2 } : { decisions: 60, seconds: 60, cut: 10 }),
      report: say,
    }),
  api: () =>
    runApiGroup(
      apiNames.filter((name) => [undefined, "api", name].includes(only) || /^(bare|select1)$/.test(name)),
      quick ? [1_000] : [1_000, 100_000, 1_000_000],
      { seconds: quick ? 0.7 : 2, rounds: quick ? 1 : 3, report: say },
    ),
  soak: () => runSoakGroup({ posts: 100_000, seconds: quick ? 30 : 480, report: say }),
  growth: () => runGrowthGroup(quick ? 300 : 1_500),
  ingest: () => runIngestGroup(quick ? 25 : 100),
  classify: () => runClassifyGroup({ orders: quick ? 2 : 5, report: say }),
};

const chosen = Object.keys(groups).filter((name) => {
  if (only === undefined) return !quick || name !== "soak";
  return name === only || (name === "api" && apiNames.some((each) => each === only));
});
if (chosen.length === 0) {
  say(
    `There is no group "${only}". Groups: ${Object.keys(groups).join(", ")}; or one name of: ${apiNames.join(", ")}.`,
  );
  process.exit(2);
}
if (chosen.some((name) => name !== "ingest" && name !== "classify")) {
  addComparisonRoute();
  if (!(await isBuilt())) {
    say("Building the application first");
    await build();
  }
}

const rows: Row[] = [];
for (const name of chosen) {
  const measured = (await groups[name]?.()) ?? [];
  rows.push(...measured);
  if (json !== undefined) await writeFile(json, `${JSON.stringify({ rows }, null, 2)}\n`);
  if (name === "api")
    say(
      "name            posts    clients     req/s   p50 ms   p95 ms   p99 ms   of select1   of bare   of smallest",
    );
  for (const row of measured) say(name === "api" ? lineOf(row) : figuresOf(row));
}
if (json !== undefined) say(`Written to ${json}`);

function figuresOf({ name, ...figures }: Row): string {
  return `${name}: ${Object.entries(figures)
    .map(([figure, value]) => `${figure} ${round(value)}`)
    .join(", ")}`;
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
