import { reaches, type Role } from "#components/shell/roles.ts";
import type { Stats } from "#lib/stats/schema.ts";

export interface Step {
  name: "stream" | "fetch" | "review" | "key" | "consumer";
  done: boolean;
}

/**
 * Null from the first post on, and for other roles than admins.
 */
export function firstSteps(stats: Stats, hasKey: boolean, role: Role): Step[] | null {
  if (!reaches(role, "admin")) return null;
  const { all_time: ever } = stats;
  if (ever.fetched > 0) return null;
  return [
    { name: "stream", done: stats.total_streams > 0 },
    { name: "fetch", done: false },
    { name: "review", done: false },
    { name: "key", done: hasKey },
    { name: "consumer", done: false },
  ];
}
