import { toIso } from "#lib/base/clock.ts";
import { startOf, today } from "#lib/base/today.ts";
import { pickEmojis } from "#lib/fediverse/emojis.ts";
import { decidedSince, logRows, type LogRow } from "./log-sql.ts";
import type { RecentDecision } from "./decision-schema.ts";
import type { ReviewLog, ReviewLogLine, ReviewLogQuery } from "./log-schema.ts";

/** Newest first. */
export async function listLog(query: ReviewLogQuery): Promise<ReviewLog> {
  const rows = await logRows(query);
  const items = rows.slice(0, query.limit).map(serializeLine);
  return { items, next_cursor: rows.length > query.limit ? (items.at(-1)?.id ?? null) : null };
}

/** A decision and its undo are two lines. */
const RECENT_LINES = 100;

/**
 * Newest first, one a post. Leaves out decisions that were undone, decided again elsewhere, or whose post is
 * deleted.
 */
export async function recentDecisions(memberId: number): Promise<RecentDecision[]> {
  const rows = await logRows({ member_id: memberId, source: "screen", limit: RECENT_LINES });
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
        version: row.reviewed_version ?? 1,
        decision: row.action as RecentDecision["decision"],
        reason: [row.reject_reason_label, row.note].filter(Boolean).join(": ") || null,
        at: toIso(row.at),
        is_today: row.at >= startOf(today()),
        author_account: row.author_account ?? "",
        snippet: row.snippet ?? "",
        emojis: pickEmojis(row.emojis, [row.snippet]),
      },
    ];
  });
}

/** Standing decisions of the present day, as in the statistics of reviewers. */
export function countDecidedToday(memberId: number): Promise<number> {
  return decidedSince(memberId, startOf(today()));
}

function serializeLine(row: LogRow): ReviewLogLine {
  const details = (row.details ?? {}) as { batch?: string; decision?: string; changed?: number };
  const { batch, decision, changed } = details;
  return {
    id: String(row.id),
    at: toIso(row.at),
    actor: row.actor,
    member_id: row.member_id,
    source: row.source as ReviewLogLine["source"],
    action: row.action,
    post_id: row.post_id === 0 ? null : row.post_id,
    from: row.from_state,
    to: row.to_state,
    note: row.note,
    reject_reason: row.reject_reason,
    reject_reason_label: row.reject_reason_label,
    batch:
      batch === undefined
        ? null
        : { id: batch, decision: decision ?? "", changed: changed ?? 0, author_account: row.batch_author },
    post:
      row.uri === null
        ? null
        : { url: row.url ?? row.uri, author_account: row.author_account ?? "", snippet: row.snippet ?? "" },
  };
}
