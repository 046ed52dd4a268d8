import { reaches, type Role } from "#components/shell/roles.ts";
import type { Stats } from "#lib/stats/schema.ts";

export interface Step {
  name: "stream" | "fetch" | "review" | "key" | "consumer";
  done: boolean;
}

/**
 * Null when complete, and for other roles than admins. A reserved post proves all steps, even if a stream or key was
 * deleted since.
 */
export function firstSteps(stats: Stats, hasKey: boolean, role: Role): Step[] | null {
  if (!reaches(role, "admin")) return null;
  const { all_time: ever, queue_status: now } = stats;
  if (ever.delivered + ever.errors + now.reserved > 0) return null;
  return [
    { name: "stream", done: stats.total_streams > 0 },
    { name: "fetch", done: ever.fetched > 0 },
    // Posts rejected by a filter do not count as reviewed.
    { name: "review", done: ever.approved + ever.rejected > ever.auto_rejected },
    { name: "key", done: hasKey },
    { name: "consumer", done: false },
  ];
}
