import { toIso } from "#lib/clock.ts";
import type { ErrorStats } from "./schema.ts";
import { duplicateRows, errorGroupRows } from "./sql.ts";

const GROUPS = 200;
const POSTS_EACH = 50;
const DUPLICATES = 100;

/** Posts that consumers reported as failed, by reason, and those among them that were reported as duplicates. */
export async function getErrorStats(): Promise<ErrorStats> {
  const [groups, duplicates] = await Promise.all([
    errorGroupRows(GROUPS, POSTS_EACH),
    duplicateRows(DUPLICATES),
  ]);
  return {
    groups: groups.map((group) => ({
      ...group,
      first_at: toIso(group.first_at),
      last_at: toIso(group.last_at),
    })),
    duplicates,
  };
}
