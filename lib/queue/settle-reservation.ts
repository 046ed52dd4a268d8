import { noteKeyUse } from "#lib/accounts/api-key.ts";
import type { Tx } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { ApiError } from "#lib/base/errors.ts";
import { servicePrincipal, type InlineCaller } from "#lib/base/http/principal.ts";
import { isOptOutReport, reportOptOut } from "#lib/collect/opt-outs.ts";
import { batchCalls } from "./batch-calls.ts";
import type { ErrorReport } from "./schema.ts";
import { settleRow, settleRows, type SettlementRow } from "./sql.ts";

export interface Settlement {
  move: "ack" | "nack" | "error" | "extend";
  /** `If-Match`; null when the caller names no reservation. */
  if_match: string | null;
  /** Of an error. */
  reason?: string;
  details?: object | null;
}

/**
 * Ends or extends a reservation with one conditional update, even an expired one until the next reserve. Any caller
 * with the scope `consume` may: the state decides, and `If-Match` is the fence.
 *
 * @param postId 0 when the path holds no valid id
 * @param rawId the id as sent, for the text of the 404
 * @param tx transaction of the caller
 * @throws invalid_key, scope_missing, queue_post_not_found, wrong_state, stale_reservation, extend_limit.
 */
export async function settleReservation(
  caller: InlineCaller,
  postId: number,
  rawId: string,
  settlement: Settlement,
  tx?: Tx,
): Promise<SettlementRow> {
  const lease = leasesOf(settlement.if_match);
  const call = { caller, post_id: postId, settlement, lease };
  const row = await (tx ? settleOne(call, tx) : settle(call));
  if (row.key_id !== null) noteKeyUse(row.key_id);
  switch (row.outcome) {
    case "ok":
      break;
    case "invalid_key":
      throw new ApiError("invalid_key");
    case "forbidden":
      throw new ApiError("scope_missing", { scope: "consume" });
    case "not_found":
      throw new ApiError("queue_post_not_found", { id: rawId });
    case "conflict":
      throw new ApiError("wrong_state", { state: row.state ?? "", expected: "reserved" });
    case "limit":
      throw new ApiError("extend_limit", { state: "reserved" });
    case "stale":
      throw new ApiError("stale_reservation");
  }
  return row;
}

/**
 * `reserved` → `error`. A reported opt-out also holds the author's other posts, in the same transaction, until a
 * person or the next check of the profile decides; not if only another server has named the author.
 *
 * @throws as settleReservation.
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

/** Otherwise another server may have invented the author. */
async function isShownAtHome(tx: Tx, postId: number): Promise<boolean> {
  const post = await tx.post.findUnique({ where: { id: postId }, select: { from_home: true } });
  return post?.from_home === true;
}

interface SettleCall {
  caller: InlineCaller;
  post_id: number;
  settlement: Settlement;
  lease: string | null;
}

/** Acks and nacks of API keys are batched, except cases the batch cannot handle. */
async function settle(call: SettleCall): Promise<SettlementRow> {
  const { move } = call.settlement;
  if (call.caller.key_hash === null || (move !== "ack" && move !== "nack")) return settleOne(call);
  return (await (move === "ack" ? batchedAck : batchedNack)(call)) ?? settleOne(call);
}

const batchedAck = batchCalls((batch: SettleCall[]) => settleBatch(batch, "ack"));
const batchedNack = batchCalls((batch: SettleCall[]) => settleBatch(batch, "nack"));

async function settleBatch(batch: SettleCall[], move: "ack" | "nack"): Promise<(SettlementRow | null)[]> {
  const [call] = batch;
  if (call !== undefined && batch.length === 1) return [await settleOne(call)];
  // A second call for the same post runs after the first.
  const firstOf = new Map<number, SettleCall>();
  for (const each of batch) if (!firstOf.has(each.post_id)) firstOf.set(each.post_id, each);
  const firsts = [...firstOf.values()];
  const rows = await settleRows(firsts, move);
  const answers = new Map(firsts.map((each, i) => [each, rows[i] ?? null]));
  return batch.map((each) => answers.get(each) ?? null);
}

function settleOne({ caller, post_id, settlement, lease }: SettleCall, tx?: Tx): Promise<SettlementRow> {
  const options = {
    lease,
    reason: settlement.reason ?? null,
    details: settlement.details ?? null,
    timeout_seconds: env().RESERVE_TIMEOUT_SECONDS,
  };
  return settleRow(caller, post_id, settlement.move, options, tx);
}

/** Leases named by `If-Match` (RFC 9110 §13.1.1: a list of entity tags, or `*`), comma-separated; null = any. */
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
