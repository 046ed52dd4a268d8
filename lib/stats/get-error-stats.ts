import { toIso } from "#lib/clock.ts";
import { compactFigures } from "./compact-figures.ts";
import { TREND_DAYS, type ErrorStats } from "./schema.ts";
import { duplicateRows, errorGroupRows, errorTrendRows } from "./sql.ts";

const GROUPS = 200;
const POSTS_EACH = 50;
const DUPLICATES = 100;

/**
 * Posts that consumers reported as failed, by reason, and those among them that were reported as duplicates. The trend
 * of a reason counts every report, also of posts that were requeued or rejected since.
 */
export async function getErrorStats(): Promise<ErrorStats> {
  const [groups, duplicates] = await Promise.all([
    errorGroupRows(GROUPS, POSTS_EACH),
    duplicateRows(DUPLICATES),
    compactFigures(new Date(Date.now() + 1000)),
  ]);
  const reasons = groups.map((group) => group.reason);
  const trends = new Map(
    (reasons.length === 0 ? [] : await errorTrendRows(reasons, TREND_DAYS)).map((row) => [
      row.reason,
      row.trend,
    ]),
  );
  return {
    groups: groups.map((group) => ({
      ...group,
      first_at: toIso(group.first_at),
      last_at: toIso(group.last_at),
      trend: trends.get(group.reason) ?? [],
    })),
    duplicates,
  };
}
