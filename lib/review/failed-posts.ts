import type { Principal } from "#lib/base/http/principal.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { errorPostRows } from "#lib/queue/error-groups.ts";
import type { ErrorBatch, ErrorGroup } from "#lib/queue/schema.ts";
import { decide } from "./decide.ts";

/** Rejects up to `limit` posts that failed for this reason, oldest error first. */
export async function dismissErrors(
  principal: Principal,
  { reason, limit }: ErrorGroup,
): Promise<ErrorBatch> {
  return inTransaction(async (tx) => {
    const ids = await errorPostRows(tx, reason, limit);
    const only = (_post: object, state: string) => state === "error";
    const { changed } = await decide(tx, principal, ids, false, { note: reason, only });
    return { changed: changed.length };
  });
}
