import { query } from "#tests/setup/database.ts";
import { measure, middle, type Sample, type Shot } from "./load.ts";
import { BENCH_KEY, refill, seed } from "./seed.ts";
import { startBench, type Bench } from "./server.ts";

export interface Row extends Partial<Sample> {
  name: string;
  size?: number;
  clients?: number;
  [figure: string]: number | string | undefined;
}

export const apiNames = [
  "bare",
  "select1",
  "next",
  "next random",
  "next topical",
  "ack",
  "posts",
  "stats",
] as const;
type Name = (typeof apiNames)[number];

const headers = { "x-api-key": BENCH_KEY, "content-type": "application/json" };
const paths: Record<Exclude<Name, "ack">, string> = {
  bare: "/api/bench/bare",
  select1: "/api/bench/select1",
  next: "/api/v1/curated/next",
  "next random": "/api/v1/curated/next?random=true",
  "next topical": "/api/v1/curated/next?include_topical=true",
  posts: "/api/v1/posts?limit=20",
  stats: "/api/v1/stats",
};

async function reserveSome(bench: Bench, count: number): Promise<number[]> {
  const rows = await query<{ post_id: number }>(
    bench.databaseUrl,
    `UPDATE queue_entry SET state = 'reserved', lease_id = gen_random_uuid(), lease_key_id = (SELECT max(id) FROM api_key), reserved_at = now(),
            lease_expires_at = now() + interval '1 hour'
      WHERE post_id IN (SELECT post_id FROM queue_entry WHERE state = 'pending' ORDER BY approved_at, post_id LIMIT $1)
     RETURNING post_id`,
    [count],
  );
  return rows.map((row) => row.post_id);
}

async function round(
  bench: Bench,
  name: Name,
  size: number,
  clients: number,
  seconds: number,
): Promise<Sample> {
  let shot: () => Shot | null;
  // An empty queue answers faster, so a round never empties it.
  const budget = Math.floor(size * (name === "next topical" ? 0.08 : 0.8));
  if (name === "ack") {
    const ids = await reserveSome(bench, Math.min(budget, Math.ceil(seconds * (clients > 1 ? 6000 : 1500))));
    shot = () => {
      const id = ids.pop();
      return id === undefined ? null : { method: "POST", path: `/api/v1/curated/${id}/ack` };
    };
  } else {
    let left = name.startsWith("next") ? budget : Infinity;
    shot = () => (left-- > 0 ? { method: "GET", path: paths[name] } : null);
  }
  const sample = await measure(bench.origin, clients, seconds, headers, shot);
  if (name.startsWith("next") || name === "ack") await refill(bench.databaseUrl);
  return sample;
}

/**
 * Compares the API with a bare Next handler and one that runs `SELECT 1`. Sizes and names alternate within a round, so
 * that other load affects all alike.
 */
export async function runApiGroup(
  names: readonly Name[],
  sizes: number[],
  options: {
    seconds: number;
    rounds: number;
    report: (line: string) => void;
  },
): Promise<Row[]> {
  const rows: Row[] = [];
  const places: { size: number; bench: Bench }[] = [];
  try {
    for (const size of sizes) {
      const begun = performance.now();
      places.push({ size, bench: await startBench((url) => seed(url, size)) });
      options.report(`${size} posts ready after ${((performance.now() - begun) / 1000).toFixed(1)} s`);
    }
    for (const clients of [32, 1]) {
      const turns = places.flatMap((place) =>
        names.map((name) => ({ ...place, name, samples: [] as Sample[] })),
      );
      for (const { bench, name, size } of turns) await round(bench, name, size, clients, 0.3);
      for (let i = 0; i < options.rounds; i++) {
        for (const { bench, name, size, samples } of turns)
          samples.push(await round(bench, name, size, clients, options.seconds));
      }
      rows.push(...turns.map(({ name, size, samples }) => ({ name, size, clients, ...middle(samples) })));
    }
    return rows;
  } finally {
    await Promise.all(places.map(({ bench }) => bench.stop()));
  }
}
