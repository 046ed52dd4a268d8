import type { Stats } from "#lib/stats/schema.ts";

export interface Step {
  name: "stream" | "fetch" | "review" | "key" | "consumer";
  done: boolean;
}

/** Null when complete. A reserved post proves all steps, even if a stream or key was deleted since. */
export function firstSteps(stats: Stats, hasKey: boolean): Step[] | null {
  const { all_time: ever, queue_status: now } = stats;
  if (ever.delivered + ever.errors + now.reserved > 0) return null;
  return [
    { name: "stream", done: stats.total_streams > 0 },
    { name: "fetch", done: ever.fetched > 0 },
    // Posts rejected by filters do not count as reviewed.
    { name: "review", done: ever.approved + ever.rejected > ever.auto_rejected },
    { name: "key", done: hasKey },
    { name: "consumer", done: false },
  ];
}
