import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { PrismaPg } from "@prisma/adapter-pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { writeBackupStatus } from "#lib/backup-status.ts";
import { db } from "#lib/db.ts";
import { families } from "#lib/metrics/families.ts";
import { readMetrics } from "#lib/metrics/read-metrics.ts";
import { noteRestart } from "#lib/process-restarts.ts";
import { PrismaClient } from "#prisma/generated/client.ts";
import { makeBotKey, makeMember, makePending, makeStream } from "#tests/setup/factories.ts";

/* docs/monitoring: names of metrics, and each alert in a staged failure. */

const { folder } = vi.hoisted(() => {
  process.env.DATA_DIR = `${process.env.TMPDIR ?? "/tmp"}/sluice-monitoring-${process.pid}`;
  return { folder: process.env.DATA_DIR };
});

const path = (name: string) => fileURLToPath(new URL(`../../../docs/monitoring/${name}`, import.meta.url));
const rules = readFileSync(path("alerts.yml"), "utf8");
const alerts = new Map(
  [...rules.matchAll(/- alert: (\w+)\n +expr: (.+)\n/g)].map(([, name = "", expression = ""]) => [
    name,
    expression,
  ]),
);

interface Series {
  name: string;
  /** As written, such as `state="pending"`. */
  labels: string[];
  value: number;
}

async function scrape(): Promise<Series[]> {
  const lines = (await readMetrics()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.map((line) => {
    const [, name = "", labels = "", value = ""] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    return { name, labels: labels.match(/\w+="(?:[^"\\]|\\.)*"/g) ?? [], value: Number(value) };
  });
}

/** Values that an expression of alerts.yml returns: one comparison, or several joined by "and on()". */
function evaluate(expression: string, now: Series[], hourAgo: Series[]): number[] {
  const results = expression.split(" and on() ").map((clause) => {
    const [, operand = "", operator = "", limit = ""] = /^(.+) (==|<|>) (\S+)$/.exec(clause) ?? [];
    const [, before = "", name = "", labels = ""] =
      /^(time\(\) - |increase\()?(\w+)(?:\{(.*?)\})?(?:\[1h\]\))?$/.exec(operand) ?? [];
    if (!Object.hasOwn(families, name)) throw new Error(`cannot read ${clause}`);
    const find = (all: Series[], extra: string[] = []) =>
      all.filter(
        (each) =>
          each.name === name &&
          [...labels.split(",").filter(Boolean), ...extra].every((label) => each.labels.includes(label)),
      );
    const values = find(now).flatMap((series) => {
      if (before === "time() - ") return [Date.now() / 1000 - series.value];
      if (before === "") return [series.value];
      // Like Prometheus: without an earlier sample there is no increase.
      return find(hourAgo, series.labels).map((earlier) => series.value - earlier.value);
    });
    const bound = Number(limit);
    return values.filter((value) =>
      operator === "==" ? value === bound : operator === "<" ? value < bound : value > bound,
    );
  });
  return results.every((values) => values.length > 0) ? (results[0] as number[]) : [];
}

function firing(now: Series[], hourAgo: Series[]): string[] {
  return [...alerts]
    .filter(([, expression]) => evaluate(expression, now, hourAgo).length > 0)
    .map(([name]) => name);
}

const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);
const writeBackup = (at: Date) =>
  writeBackupStatus(folder, {
    folder,
    success: { at: at.toISOString(), bytes: 1 },
    failure: null,
    future: [],
  });

beforeAll(() => mkdirSync(folder, { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true }));

/** Nothing is wrong. Values of the machine are replaced, so that a full disk fails no test. */
async function makeHealthy(): Promise<void> {
  await db.$executeRaw`DELETE FROM queue_entry`;
  await db.$executeRaw`DELETE FROM job_run`;
  await db.api_key.deleteMany();
  await db.stream.deleteMany();
  await db.installation.updateMany({ data: { last_round_at: new Date() } });
  const { id: member } = await makeMember();
  await makeBotKey(new Date(), member);
  await makeStream({ last_fetch: new Date() });
  await db.job_run.create({ data: { job: "check sources", runs: 9n, failures: 0n } });
  await makePending();
  await db.queue_entry.updateMany({ data: { holds: 0, confirmed_at: new Date() } });
  writeBackup(new Date());
}

const healthyMachine = (series: Series[]) =>
  series.map((each) => (each.name === "sluice_disk_free_bytes" ? { ...each, value: 50e9 } : each));

const withValue = (name: string, value: number) => (series: Series[]) => [
  ...series.filter((each) => each.name !== name),
  { name, labels: [], value },
];

test("a healthy installation fires no alert", async () => {
  await makeHealthy();
  const series = healthyMachine(await scrape());
  expect(firing(series, series)).toEqual([]);
});

interface Failure {
  stage?: () => Promise<unknown>;
  /** For values that a test cannot cause. */
  change?: (series: Series[]) => Series[];
}

const failures: Record<string, Failure> = {
  SluiceDatabaseDown: { change: withValue("sluice_database_up", 0) },
  SluiceNothingToHandOut: {
    stage: async () => {
      await makePending();
      await db.queue_entry.updateMany({ data: { holds: 8 } });
      expect(await db.queue_entry.count({ where: { state: "pending" } })).toBe(2);
    },
  },
  SluiceQueueEmpty: { stage: () => db.queue_entry.deleteMany() },
  SluiceSupplyLow: { change: withValue("sluice_queue_runway_days", 0.5) },
  SluiceStreamWithoutSuccess: { stage: () => db.stream.updateMany({ data: { last_fetch: ago(25) } }) },
  SluiceErrorsJump: {
    stage: async () => {
      for (let n = 0; n < 11; n++) {
        const { id } = await makePending();
        await db.queue_entry.update({
          where: { post_id: id },
          data: { state: "error", error_reason: "x", errored_at: new Date() },
        });
      }
    },
  },
  SluiceBotSilent: { stage: () => db.api_key.updateMany({ data: { last_used_at: ago(49) } }) },
  SluiceWorkerSilent: { stage: () => db.installation.updateMany({ data: { last_round_at: ago(1) } }) },
  SluiceJobFails: { stage: () => db.job_run.updateMany({ data: { failures: 4n } }) },
  SluiceProcessRestarts: {
    stage: () => Promise.resolve([1, 2, 3].forEach(() => noteRestart(folder, "worker"))),
  },
  SluiceBackupOld: { stage: () => Promise.resolve(writeBackup(ago(49))) },
  SluiceDiskNearlyFull: { change: withValue("sluice_disk_free_bytes", 1e9) },
  SluiceConnectionsExhausted: { change: withValue("sluice_database_pool_waiting", 6) },
};

test("every alert has a staged failure", () => {
  expect([...alerts.keys()].sort()).toEqual(Object.keys(failures).sort());
});

test.each(Object.entries(failures))(
  "%s fires in its failure, and no other alert does",
  async (name, failure) => {
    await makeHealthy();
    const before = healthyMachine(await scrape());
    await failure.stage?.();
    const series = healthyMachine(await scrape());
    expect(firing(failure.change?.(series) ?? series, before)).toEqual([name]);
  },
);

test("SluiceDatabaseDown fires when the database is really away", async () => {
  const holder = globalThis as { sluiceDb?: PrismaClient | undefined };
  const here = holder.sluiceDb;
  const adapter = new PrismaPg({ connectionString: "postgresql://nobody@127.0.0.1:1/nothing" });
  const nowhere = (holder.sluiceDb = new PrismaClient({ adapter }));
  try {
    const series = healthyMachine(await scrape());
    expect(firing(series, series)).toContain("SluiceDatabaseDown");
  } finally {
    holder.sluiceDb = here;
    await nowhere.$disconnect();
  }
});

test("rules and dashboard name only metrics that exist", () => {
  const dashboard = readFileSync(path("grafana-dashboard.json"), "utf8");
  const { panels } = JSON.parse(dashboard) as { panels: { targets: { expr: string }[] }[] };
  const expressions = [
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...alerts.values(),
  ].join(" ");
  const named = [...new Set(expressions.match(/sluice_\w+/g))].map((name) =>
    name.replace(/_(bucket|count|sum)$/, ""),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !Object.hasOwn(families, name))).toEqual([]);
});

/** Where it is installed. */
const program = "promtool";
const hasPromtool = spawnSync(program, ["--version"]).error === undefined;

test.runIf(hasPromtool)("promtool accepts the rules", () => {
  expect(spawnSync(program, ["check", "rules", path("alerts.yml")]).status).toBe(0);
});
