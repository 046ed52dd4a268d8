import { setTimeout as sleep } from "node:timers/promises";
import { apiCaller, throwOnError } from "#tests/setup/api-client.ts";
import { query } from "#tests/setup/database.ts";
import type { Row } from "./api-group.ts";
import { measure, type Sample } from "./load.ts";
import { BENCH_KEY, refill, seed } from "./seed.ts";
import { startBench, type Bench } from "./server.ts";

const headers = { "x-api-key": BENCH_KEY };
const crowds = [4, 32];

export interface BlocksOptions {
  posts: number;
  seconds: number;
  report: (line: string) => void;
}

/**
 * Blocks a hashtag of a thousandth and one of half of the pending posts while consumers reserve. Rows
 * `block`: time until all its posts are held; `next beside a block`: latencies of reserve meanwhile, with
 * the baseline.
 */
export async function runBlocksGroup({ posts, seconds, report }: BlocksOptions): Promise<Row[]> {
  const bench = await startBench((url) => seed(url, posts), { worker: true });
  try {
    const rows = [await blockAlone(bench, posts, "rare")];
    for (const clients of crowds) rows.push(...(await blockBeside(bench, posts, "nature", clients, seconds)));
    return rows;
  } finally {
    report("taking the database down");
    await bench.stop();
  }
}

async function blockAlone(bench: Bench, size: number, hashtag: string): Promise<Row> {
  // Warm-up: the first request of a kind loads code (0.8 s).
  await (await block(bench, "unheard")).lift();
  await query(bench.databaseUrl, "CHECKPOINT");
  const { held, answered_ms, all_ms, lift } = await block(bench, hashtag);
  await lift();
  return { name: "block", size, clients: 0, held, answered_ms, all_ms };
}

async function blockBeside(
  bench: Bench,
  size: number,
  hashtag: string,
  clients: number,
  seconds: number,
): Promise<Row[]> {
  const next = () => ({ method: "GET" as const, path: "/api/v1/curated/next" });
  await measure(bench.origin, clients, 1, headers, next);
  const ordinary = await measure(bench.origin, clients, seconds, headers, next);
  let going = true;
  const beside = measure(bench.origin, clients, 600, headers, () => (going ? next() : null));
  let during: Sample;
  let done: Awaited<ReturnType<typeof block>>;
  try {
    done = await block(bench, hashtag);
  } finally {
    going = false;
    during = await beside;
  }
  await done.lift();
  await refill(bench.databaseUrl);
  const { held, answered_ms, all_ms } = done;
  return [
    { name: "block", size, clients, held, answered_ms, all_ms },
    {
      name: "next beside a block",
      size,
      clients,
      ...during,
      ordinary_rps: ordinary.rps,
      ordinary_p50_ms: ordinary.p50_ms,
      ordinary_p99_ms: ordinary.p99_ms,
      p99_share: during.p99_ms / ordinary.p99_ms,
    },
  ];
}

async function block(bench: Bench, hashtag: string) {
  const call = throwOnError(apiCaller(bench.origin, headers));
  const begun = performance.now();
  const answer = await call<{ id: number }>("POST", "/reblog-controls/blocked-hashtags", { hashtag });
  const answered_ms = performance.now() - begun;
  await settled(bench);
  const all_ms = performance.now() - begun;
  const [{ held } = { held: NaN }] = await query<{ held: number }>(
    bench.databaseUrl,
    "SELECT count(*)::int AS held FROM queue_entry WHERE holds <> 0",
  );
  const lift = async () => {
    await call("DELETE", `/reblog-controls/blocked-hashtags/${answer.json.id}`);
    await settled(bench);
  };
  return { held, answered_ms, all_ms, lift };
}

async function settled(bench: Bench): Promise<void> {
  for (;;) {
    const open = await query(bench.databaseUrl, "SELECT 1 FROM block_change LIMIT 1");
    if (open.length === 0) return;
    await sleep(50);
  }
}
