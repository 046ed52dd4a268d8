import { Pool } from "undici";

export interface Sample {
  rps: number;
  p50_ms: number;
  p95_ms: number;
  p99_ms: number;
  requests: number;
  /** Answers other than 2xx make results invalid. */
  failures: number;
}

export interface Shot {
  method: "GET" | "POST";
  path: string;
}

/**
 * Sends requests on `clients` connections, one after another on each, for `seconds` or until `nextShot`
 * returns null. autocannon's latencies are whole milliseconds.
 */
export async function measure(
  origin: string,
  clients: number,
  seconds: number,
  headers: Record<string, string>,
  nextShot: () => Shot | null,
  onAnswer?: (shot: Shot, body: string) => unknown,
): Promise<Sample> {
  const pool = new Pool(origin, { connections: clients, pipelining: 1 });
  const latencies: number[] = [];
  let failures = 0;
  const begun = performance.now();
  const end = begun + seconds * 1000;
  async function client(): Promise<void> {
    while (performance.now() < end) {
      const shot = nextShot();
      if (shot === null) return;
      const sent = performance.now();
      const answer = await pool.request({ method: shot.method, path: shot.path, headers });
      const body = await answer.body.text();
      latencies.push(performance.now() - sent);
      if (answer.statusCode >= 300) failures++;
      else await onAnswer?.(shot, body);
    }
  }
  await Promise.all(Array.from({ length: clients }, client));
  const elapsed = (performance.now() - begun) / 1000;
  await pool.close();
  return { ...summarise(latencies), rps: latencies.length / elapsed, requests: latencies.length, failures };
}

export function summarise(latencies: number[]): { p50_ms: number; p95_ms: number; p99_ms: number } {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
  return { p50_ms: at(0.5), p95_ms: at(0.95), p99_ms: at(0.99) };
}

/** The median of each figure over several rounds, because machines are shared. */
export function middle(samples: Sample[]): Sample {
  const pick = (field: keyof Sample) => {
    const values = samples.map((sample) => sample[field]).toSorted((a, b) => a - b);
    return values[Math.floor(values.length / 2)] ?? NaN;
  };
  const sum = (field: keyof Sample) => samples.reduce((total, sample) => total + sample[field], 0);
  return {
    rps: pick("rps"),
    p50_ms: pick("p50_ms"),
    p95_ms: pick("p95_ms"),
    p99_ms: pick("p99_ms"),
    requests: sum("requests"),
    failures: sum("failures"),
  };
}
