import { expect, test, vi } from "vitest";
import { GET as listPosts } from "#app/api/v1/posts/route.ts";
import { GET as metrics } from "#app/metrics/route.ts";
import { backupStatus } from "#lib/base/backup-status.ts";
import { db } from "#lib/base/db.ts";
import { resetIntervals, runDueWork } from "#lib/runtime/jobs/run-due-work.ts";
import { withoutDatabase } from "#tests/integration/database/without-database.ts";
import {
  makeBotKey,
  makeKey,
  makeMember,
  makePending,
  makePost,
  makeStream,
} from "#tests/setup/factories.ts";
import { call } from "#tests/setup/request.ts";

const TOKEN = vi.hoisted(() => (process.env.METRICS_TOKEN = "a token of at least 32 characters"));

const bearer = { authorization: `Bearer ${TOKEN}` };

/** Series of the answer, as `name{labels}` → value. */
async function scrape(): Promise<Map<string, number>> {
  const { status, text } = await call(metrics, { path: "/metrics", headers: bearer });
  expect(status).toBe(200);
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
}

test("METRICS_TOKEN reads /metrics and nothing else; keys with manage still do, others do not", async () => {
  const ask = async (headers: Record<string, string>) =>
    (await call(metrics, { path: "/metrics", headers })).status;
  expect(await ask(bearer)).toBe(200);
  expect(await ask({ "x-api-key": TOKEN })).toBe(200);
  expect(await ask({ authorization: `Bearer ${TOKEN}x` })).toBe(401);
  expect(await ask({})).toBe(401);
  expect(await ask({ "x-api-key": await makeKey() })).toBe(200);
  expect(await ask({ "x-api-key": await makeKey({ scopes: ["read"] }) })).toBe(403);
  expect((await call(listPosts, { path: "/api/v1/posts", headers: bearer })).status).toBe(401);
});

test("without the database the answer has the metrics of the process, and sluice_database_up 0", async () => {
  const series = await withoutDatabase(scrape);
  expect(series.get("sluice_database_up")).toBe(0);
  const names = new Set([...series.keys()].map(familyOf));
  expect(names).toContain("process_cpu_user_seconds_total");
  const own = [...names].filter((name) => name.startsWith("sluice_"));
  expect(own.filter((name) => name !== "sluice_http_request_duration_seconds")).toEqual([
    "sluice_database_up",
  ]);
});

test("every metric is answered, with the labels of its declaration", async () => {
  await stageEverything();
  const series = await scrape();
  const labels = new Map<string, string[]>();
  for (const name of series.keys()) {
    const { 1: list = "" } = /\{(.*)\}$/.exec(name) ?? [];
    labels.set(
      familyOf(name),
      [...list.matchAll(/(\w+)="/g)].map(([, label]) => label as string).filter((label) => label !== "le"),
    );
  }
  const own = [...labels].filter(([name]) => name.startsWith("sluice_"));
  const stream = ["stream", "hashtag", "instance"];
  // A promise: alerts and dashboards of operators use them.
  expect(Object.fromEntries(own)).toEqual({
    sluice_http_request_duration_seconds: ["method", "route", "status"],
    sluice_database_up: [],
    sluice_backup_last_success_timestamp_seconds: [],
    sluice_posts_total: ["event"],
    sluice_queue_posts: ["state"],
    sluice_queue_oldest_ready_age_seconds: [],
    sluice_stream_failures: stream,
    sluice_stream_last_success_timestamp_seconds: stream,
    sluice_key_posts_total: ["key", "name", "event"],
    sluice_worker_last_round_age_seconds: [],
    sluice_job_failures_total: ["job"],
    sluice_job_last_run_timestamp_seconds: ["job"],
  });
  expect(series.get("sluice_database_up")).toBe(1);
  expect(series.get('sluice_job_failures_total{job="good"}')).toBe(0);
  expect(series.get('sluice_job_failures_total{job="bad"}')).toBe(1);
});

test("two posts that are held count as held and not as ready", async () => {
  await db.queue_entry.deleteMany();
  const posts = [await makePending(), await makePending()];
  await db.queue_entry.updateMany({
    where: { post_id: { in: posts.map(({ id }) => id) } },
    data: { holds: 8 },
  });
  const series = await scrape();
  expect(series.get('sluice_queue_posts{state="held"}')).toBe(2);
  expect(series.get('sluice_queue_posts{state="ready"}')).toBe(0);
  expect(series.has("sluice_queue_oldest_ready_age_seconds")).toBe(false);
  await db.queue_entry.updateMany({ data: { holds: 0, approved_at: new Date(Date.now() - 60_000) } });
  expect((await scrape()).get("sluice_queue_oldest_ready_age_seconds")).toBeGreaterThanOrEqual(60);
});

/** Of a series: `name{labels}`; the series of a histogram have suffixes. */
function familyOf(series: string): string {
  return series.replace(/\{.*$/, "").replace(/_(bucket|sum|count)$/, "");
}

/** At least one series of each metric. */
async function stageEverything(): Promise<void> {
  const stream = await makeStream({ hashtag: "cats", error_count: 3, failing_since: new Date() });
  const { id: member } = await makeMember();
  await makeBotKey(new Date(), member);
  await makePost({ stream_id: stream.id });
  const delivered = await makePending();
  await db.queue_entry.update({
    where: { post_id: delivered.id },
    data: { state: "delivered", delivered_at: new Date() },
  });
  await makePending();
  const held = await makePending();
  await db.queue_entry.update({ where: { post_id: held.id }, data: { holds: 8 } });
  vi.spyOn(await import("#lib/base/log.ts").then(({ log }) => log), "error").mockImplementation(
    () => undefined,
  );
  const worked = { worked: false };
  const table = [
    { name: "good", everyMs: 0, run: () => Promise.resolve(worked) },
    { name: "bad", everyMs: 0, run: () => Promise.reject(new Error("broken")) },
  ];
  for (let round = 0; round < 2; round++) {
    resetIntervals();
    await runDueWork({ deadline: new Date(Date.now() + 60_000) }, round === 0 ? table : table.slice(0, 1));
  }
  await backupStatus.set({
    looked_at: new Date().toISOString(),
    success: { at: "2026-11-20T03:00:05.000Z", bytes: 1 },
  });
}
