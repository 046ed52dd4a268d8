import { noteKeyUse } from "#lib/accounts/api-key.ts";
import type { Tx } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { ApiError } from "#lib/base/errors.ts";
import { servicePrincipal, type InlineCaller } from "#lib/base/http/principal.ts";
import { isOptOutReport, reportOptOut } from "#lib/collect/opt-outs.ts";
import type { ErrorReport } from "./schema.ts";
import { settleRow, settleRows, type SettleCall, type SettlementRow } from "./sql.ts";

export interface Settlement {
  move: "ack" | "nack" | "error" | "extend";
  /** `If-Match`; null when the caller names no reservation. */
  if_match: string | null;
  /** With the move `error` only, as `details`. */
  reason?: string;
  details?: object | null;
}

/**
 * Ends or extends a reservation with one conditional update. An expired one can be settled until the next reserve returns
 * it. Any caller with the scope `consume` may settle any reserved post; `If-Match` protects against a stale caller.
 *
 * @param rawId the id as sent, for the text of the 404
 * @param tx the caller's transaction; default: a batch of its own
 * @throws invalid_key, scope_missing, queue_post_not_found, wrong_state, stale_reservation, extend_limit
 */
export async function settleReservation(
  caller: InlineCaller,
  postId: number,
  rawId: string,
  settlement: Settlement,
  tx?: Tx,
): Promise<SettlementRow> {
  const { move, if_match, reason = null, details = null } = settlement;
  const call: SettleCall = {
    caller,
    post_id: postId,
    move,
    leases: leasesOf(if_match),
    reason,
    details,
    timeout_seconds: env().RESERVE_TIMEOUT_SECONDS,
  };
  const row = tx === undefined ? await settleRow(call) : ((await settleRows([call], tx))[0] as SettlementRow);
  if (row.key_id !== null) noteKeyUse(row.key_id);
  if (row.outcome !== "ok") throw refusals[row.outcome](row.state ?? "", rawId);
  return row;
}

const refusals = {
  invalid_key: () => new ApiError("invalid_key"),
  forbidden: () => new ApiError("scope_missing", { scope: "consume" }),
  not_found: (_state: string, id: string) => new ApiError("queue_post_not_found", { id }),
  conflict: (state: string) => new ApiError("wrong_state", { state, expected: "reserved" }),
  limit: () => new ApiError("extend_limit", { state: "reserved" }),
  stale: () => new ApiError("stale_reservation"),
};

/**
 * `reserved` → `error`. A reported opt-out also holds the author's other posts, in the same transaction, until a person or
 * the next check of the profile decides. It does not when only another server than the author's has shown the post.
 *
 * @throws see settleReservation
 */
export async function reportError(
  caller: InlineCaller,
  postId: number,
  rawId: string,
  ifMatch: string | null,
  report: ErrorReport,
): Promise<void> {
  const { reason, error_details: details = null } = report;
  const settlement = { move: "error", if_match: ifMatch, reason, details } as const;
  if (!isOptOutReport(reason, details)) {
    await settleReservation(caller, postId, rawId, settlement);
    return;
  }
  await reportOptOut(servicePrincipal, async (tx) => {
    const { author_key } = await settleReservation(caller, postId, rawId, settlement, tx);
    if (author_key === null || !(await isShownAtHome(tx, postId))) return null;
    return { author_key, post_id: postId, reason };
  });
}

/** Whether the author's own server has shown the post. Otherwise another server may have invented the author. */
async function isShownAtHome(tx: Tx, postId: number): Promise<boolean> {
  const post = await tx.post.findUnique({ where: { id: postId }, select: { from_home: true } });
  return post?.from_home === true;
}

/** Leases that `If-Match` names (RFC 9110 §13.1.1: entity tags or `*`), separated by commas; null for any. */
function leasesOf(ifMatch: string | null): string | null {
  if (ifMatch === null || ifMatch.trim() === "*") return null;
  return ifMatch
    .split(",")
    .map((tag) =>
      tag
        .trim()
        .replace(/^W\//, "")
        .replace(/^"(.*)"$/, "$1")
        .toLowerCase(),
    )
    .join(",");
}
