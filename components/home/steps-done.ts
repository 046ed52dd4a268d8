import type { Stats } from "#lib/stats/schema.ts";

export interface Step {
  name: "stream" | "fetch" | "review" | "key" | "consumer";
  done: boolean;
}

/**
 * How far a new installation has come; null when it works. That a consumer has taken a post proves all the rest,
 * also where a stream or a key has gone since.
 * @param hasKey whether any API key is active
 */
export function firstSteps(stats: Stats, hasKey: boolean): Step[] | null {
  const { all_time: ever, queue_status: now } = stats;
  if (ever.delivered + ever.errors + now.reserved > 0) return null;
  return [
    { name: "stream", done: stats.total_streams > 0 },
    { name: "fetch", done: ever.fetched > 0 },
    // What filters rejected nobody has reviewed.
    { name: "review", done: ever.approved + ever.rejected > ever.auto_rejected },
    { name: "key", done: hasKey },
    { name: "consumer", done: false },
  ];
}
