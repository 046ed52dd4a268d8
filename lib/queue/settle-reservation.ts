import { noteKeyUse } from "#lib/auth/note-key-use.ts";
import type { Scope } from "#lib/auth/permissions.ts";
import type { InlineCaller } from "#lib/auth/principal.ts";
import type { Tx } from "#lib/db.ts";
import { env } from "#lib/env.ts";
import { ApiError } from "#lib/errors.ts";
import { gather } from "./gather.ts";
import { settleRow, settleRows, type SettlementRow } from "./sql.ts";
import { expectedState } from "./states.ts";

export interface Settlement {
  move: "ack" | "nack" | "error" | "extend" | "release";
  scope: Scope;
  /** Value of `If-Match`, null when the caller does not fence. */
  if_match: string | null;
  reason?: string;
  details?: object | null;
}

/**
 * Ends (or extends) a reservation: one conditional update, whoever the caller is. A reservation whose time is
 * over but that nobody has swept can still be settled.
 * @param rawId the id as it stands in the path, for the 404 text; `postId` is 0 when it is no id at all.
 * @param tx when something else is to be done or undone with it
 * @throws invalid_key, scope_missing, queue_post_not_found, wrong_state, stale_reservation.
 */
export async function settleReservation(
  caller: InlineCaller,
  postId: number,
  rawId: string,
  settlement: Settlement,
  tx?: Tx,
): Promise<SettlementRow> {
  const lease = leasesOf(settlement.if_match);
  const asked = { caller, post_id: postId, settlement, lease };
  const row = await (tx ? settleAlone(asked, tx) : settle(asked));
  switch (row.outcome) {
    case "ok":
      break;
    case "invalid_key":
      throw new ApiError("invalid_key");
    case "forbidden":
      throw new ApiError("scope_missing", { scope: settlement.scope });
    case "not_found":
      throw new ApiError("queue_post_not_found", { id: rawId });
    case "conflict":
      throw new ApiError("wrong_state", { state: row.state ?? "", expected: expectedState(settlement.move) });
    case "stale":
      if (lease !== null) throw new ApiError("stale_reservation");
      // Who names no reservation has none that is stale: it was waiting at the first look, and reserved at the second.
      throw new ApiError("wrong_state", { state: "pending", expected: expectedState(settlement.move) });
  }
  if (row.stale_use && row.key_id !== null) noteKeyUse(row.key_id, null);
  return row;
}

interface Asked {
  caller: InlineCaller;
  post_id: number;
  settlement: Settlement;
  lease: string | null;
}

/** Keys' acks and nacks go together, and what cannot be done so is done, or refused, by itself. */
async function settle(asked: Asked): Promise<SettlementRow> {
  const { move } = asked.settlement;
  if (asked.caller.key_hash === null || (move !== "ack" && move !== "nack")) return settleAlone(asked);
  return (await (move === "ack" ? acksTogether : nacksTogether)(asked)) ?? settleAlone(asked);
}

const acksTogether = gather((group: Asked[]) => settleTogether(group, "ack"));
const nacksTogether = gather((group: Asked[]) => settleTogether(group, "nack"));

async function settleTogether(group: Asked[], move: "ack" | "nack"): Promise<(SettlementRow | null)[]> {
  const [asked] = group;
  if (asked !== undefined && group.length === 1) return [await settleAlone(asked)];
  // A post once: of two acks of the same post the second has to meet what the first one left.
  const firstOf = new Map<number, Asked>();
  for (const each of group) if (!firstOf.has(each.post_id)) firstOf.set(each.post_id, each);
  const firsts = [...firstOf.values()];
  const rows = await settleRows(firsts, move, env().REFUSAL_BACKOFF);
  const answers = new Map(firsts.map((each, i) => [each, rows[i] ?? null]));
  return group.map((each) => answers.get(each) ?? null);
}

function settleAlone({ caller, post_id, settlement, lease }: Asked, tx?: Tx): Promise<SettlementRow> {
  const { RESERVE_TIMEOUT_SECONDS, REFUSAL_BACKOFF } = env();
  const options = {
    lease,
    reason: settlement.reason ?? null,
    details: settlement.details ?? null,
    timeout_seconds: RESERVE_TIMEOUT_SECONDS,
    backoff: REFUSAL_BACKOFF,
  };
  return settleRow(caller, settlement.scope, post_id, settlement.move, options, tx);
}

/** Leases named by `If-Match` (RFC 9110 §13.1.1: a list of entity tags, or `*`), comma-separated; null = any. */
export function leasesOf(ifMatch: string | null): string | null {
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
