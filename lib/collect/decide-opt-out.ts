import { db } from "#lib/base/db.ts";
import { ApiError } from "#lib/base/errors.ts";
import type { Principal } from "#lib/base/http/principal.ts";
import { TIMEOUT_MS } from "#lib/blocking/blocks.ts";
import { changeHolds } from "#lib/queue/hold-changes.ts";
import type { OptOutDecision, OptOutReach } from "./opt-out-schema.ts";
import { heldByReport, optOutKey, resolveInside } from "./opt-outs.ts";
import { forgetAuthors, postsOfAuthor } from "./forget-authors.ts";

/* Decisions about reported opt-outs. A confirmation forgets the author as the author's own refusal does. */

/**
 * Posts that the decision would delete or release; nothing is changed.
 *
 * @throws ApiError `opt_out_not_found` when none is open
 */
export async function countOptOut(account: string, { resolution }: OptOutDecision): Promise<OptOutReach> {
  const key = optOutKey(account);
  const { open, only, also } = await heldByReport(db, key);
  if (!open) throw new ApiError("opt_out_not_found");
  return resolution === "dismissed"
    ? { released: only.length, held: also, deleted: 0 }
    : { released: 0, held: 0, deleted: (await postsOfAuthor(db, key)).length };
}

/** @throws ApiError `opt_out_not_found` when none is open or another member decided it */
export async function decideOptOut(
  principal: Principal,
  account: string,
  { resolution }: OptOutDecision,
): Promise<void> {
  const key = optOutKey(account);
  await changeHolds(async (tx) => {
    if (!(await heldByReport(tx, key)).open) throw new ApiError("opt_out_not_found");
    // Posts and queue entries are locked before the report.
    const refusal = { author_key: key, uri_host: null, rule: "reported" } as const;
    const after =
      resolution === "confirmed"
        ? { deleted_posts: (await forgetAuthors(tx, [refusal], principal)).deleted.length }
        : undefined;
    const changes = await resolveInside(tx, principal, key, resolution, after);
    if (changes === null) throw new ApiError("opt_out_not_found");
    return { result: undefined, changes };
  }, TIMEOUT_MS);
}
