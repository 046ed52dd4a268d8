import type { Tx } from "#lib/base/db.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { decide } from "#lib/review/decide.ts";
import type { AutoRejectReason } from "#lib/review/post-row.ts";
import { unchangedSince } from "#lib/review/unchanged-since.ts";
import type { SwitchName } from "./schema.ts";

interface Rejection {
  reason: AutoRejectReason;
  /** Read again by `rejectedWhenSet`; a rejection at a fetch has none. */
  set: "block" | SwitchName;
  /** For the log. */
  pattern?: string;
  reject_reason?: number | null;
  asOf: Date | undefined;
}

/**
 * Rejects unreviewed posts as a rule does: the checks do not learn from it.
 *
 * @returns number of rejected posts
 */
export async function rejectAsFilter(
  tx: Tx,
  by: Actor,
  ids: number[],
  { reason, set, pattern, reject_reason = null, asOf }: Rejection,
): Promise<number> {
  const { changed } = await decide(tx, by, await unchangedSince(tx, ids, asOf), false, {
    note: pattern === undefined ? reason : `${reason}: ${pattern}`,
    source: "filter",
    action: "auto_reject",
    details: { reason, set, ...(pattern === undefined ? {} : { pattern }) },
    auto_reject_reason: reason,
    reject_reason,
    only: (_post, state) => state === "unreviewed",
  });
  return changed.length;
}

/** Makes posts unreviewed that a filter had rejected. @returns their number */
export async function returnRejected(tx: Tx, by: Actor, ids: number[], note: string): Promise<number> {
  const { changed } = await decide(tx, by, ids, null, {
    note,
    auto_reject_reason: null,
    only: ({ auto_reject_reason }, state) => state === "rejected" && auto_reject_reason !== null,
  });
  return changed.length;
}
