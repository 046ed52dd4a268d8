import { toIso } from "#lib/clock.ts";
import { pickEmojis } from "#lib/fediverse/emojis.ts";
import { logRows } from "./log-sql.ts";
import type { RecentDecision } from "./decision-schema.ts";

/** Lines looked at: a decision and its undo are two. */
const LINES = 100;

/**
 * A reviewer's last decisions at the desk, newest first, the last word on each post: what has been taken back,
 * decided elsewhere or deleted since is left out.
 */
export async function recentDecisions(memberId: number): Promise<RecentDecision[]> {
  const rows = await logRows({ member_id: memberId, source: "screen", limit: LINES });
  const seen = new Set<number>();
  return rows.flatMap((row): RecentDecision[] => {
    if (row.post_id === 0 || seen.has(row.post_id)) return [];
    seen.add(row.post_id);
    const details = (row.details ?? {}) as { decision_id?: unknown; undoes?: unknown };
    const isDecision = row.action === "approve" || row.action === "reject" || row.action === "skip";
    if (!isDecision || details.decision_id === undefined || details.undoes !== undefined) return [];
    if (row.uri === null) return [];
    return [
      {
        post_id: row.post_id,
        decision: row.action as RecentDecision["decision"],
        reason: row.note,
        at: toIso(row.at),
        author_account: row.author_account ?? "",
        snippet: row.snippet ?? "",
        emojis: pickEmojis(row.emojis, [row.snippet]),
      },
    ];
  });
}
