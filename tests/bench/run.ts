import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { build, isBuilt } from "#lib/runtime/build.ts";
import { ensurePrismaClient } from "#lib/runtime/prisma-client.ts";
import { apiNames, runApiGroup, type Row } from "./api-group.ts";
import { runDeskGroup } from "./desk-group.ts";

/*
 * `npm run bench -- [--only GROUP] [--quick] [--json FILE]`: measures, judges nothing. See README.md.
 */

const { values } = parseArgs({
  options: { only: { type: "string" }, quick: { type: "boolean", default: false }, json: { type: "string" } },
});
const say = (line: string) => process.stdout.write(`${line}\n`);
const groups = ["api", "desk"];
const only = values.only;
const names = apiNames.filter((name) => only === undefined || only === "api" || only === name);
const withDesk = only === undefined || only === "desk";
if (names.length === 0 && !withDesk) {
  say(`There is no group "${only}". Groups: ${groups.join(", ")}; or one name of: ${apiNames.join(", ")}.`);
  process.exit(2);
}

await ensurePrismaClient();
if (!(await isBuilt())) {
  say("Building the application first");
  await build();
}

const rows: Row[] = [];
// Before the others: they leave a machine busy with what they have written.
if (withDesk) await measureDesk();
if (names.length > 0) await measureApi();
if (values.json !== undefined) say(`Written to ${values.json}`);

async function measureDesk(): Promise<void> {
  const length = values.quick
    ? { decisions: 12, seconds: 10, cut: 2 }
    : { decisions: 60, seconds: 60, cut: 10 };
  for (const row of await runDeskGroup({ posts: 10_000, ...length, report: say })) {
    await keep([row]);
    const figures = Object.entries(row).filter(([name]) => name !== "name");
    say(`${row.name}: ${figures.map(([name, value]) => `${name} ${round(value)}`).join(", ")}`);
  }
}

async function measureApi(): Promise<void> {
  const wanted = new Set<string>([...names, "bare", "select1"]);
  say("name            posts    clients     req/s   p50 ms   p95 ms   p99 ms   of select1   of bare");
  // A size at a time, shown and kept when it is done: the largest takes minutes to fill.
  for (const size of values.quick ? [1_000] : [1_000, 100_000, 1_000_000]) {
    const measured = await runApiGroup(
      apiNames.filter((name) => wanted.has(name)),
      [size],
      { seconds: values.quick ? 0.7 : 2, rounds: values.quick ? 1 : 2, report: say },
    );
    await keep(measured);
    for (const row of measured) say(lineOf(row));
  }
}

async function keep(measured: Row[]): Promise<void> {
  rows.push(...measured);
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify({ rows }, null, 2)}\n`);
}

function round(value: number | string | undefined): number | string {
  return typeof value === "number" ? Math.round(value * 10) / 10 : (value ?? "");
}

/** A row with its share of the two yardsticks of the same size and number of clients. */
function lineOf(row: Row): string {
  const ratio = (name: string) => {
    const other = rows.find((r) => r.name === name && r.size === row.size && r.clients === row.clients)?.rps;
    return other && row.rps ? `${Math.round((100 * row.rps) / other)} %` : "";
  };
  const figure = (value: number | undefined) => (value ?? NaN).toFixed(2).padStart(9);
  return (
    `${row.name.padEnd(13)}${String(row.size).padStart(9)}${String(row.clients).padStart(10)}${(row.rps ?? NaN).toFixed(0).padStart(10)}` +
    figure(row.p50_ms) +
    figure(row.p95_ms) +
    figure(row.p99_ms) +
    ratio("select1").padStart(13) +
    ratio("bare").padStart(10) +
    (row.failures ? `   ${row.failures} failed` : "")
  );
}
