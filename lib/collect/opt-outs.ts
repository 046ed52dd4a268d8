import { recordAudit } from "#lib/accounts/record-audit.ts";
import { toIso } from "#lib/base/clock.ts";
import type { Tx } from "#lib/base/db.ts";
import { ApiError } from "#lib/base/errors.ts";
import { type Actor, servicePrincipal } from "#lib/base/http/principal.ts";
import { log } from "#lib/base/log.ts";
import { insertBlockedAccount } from "#lib/blocking/block-entries.ts";
import { authorKey } from "#lib/fediverse/account.ts";
import { changeHolds, type HoldChange } from "#lib/queue/hold-changes.ts";
import type { OptOutList } from "./opt-out-schema.ts";
import { type OptOutResolution, closeOptOut, insertOptOut, openOptOuts } from "./opt-outs-sql.ts";

export { heldByReport } from "./opt-outs-sql.ts";
export type { OptOutResolution };

/** Values of `error_details.error_type`. */
const OPT_OUT_TYPES = new Set(["nobot", "nobots", "noindex", "nosearch", "noarchive", "opt_out"]);

export function isOptOutReport(reason: string, details: object | null): boolean {
  const type = details !== null && "error_type" in details ? details.error_type : undefined;
  if (typeof type === "string" && OPT_OUT_TYPES.has(type.toLowerCase())) return true;
  return /\bopt(?:s|ed)?[ -]out of bot interaction/i.test(reason);
}

export interface OptOutFinding {
  author_key: string;
  post_id: number;
  reason: string;
}

/**
 * Records a report and holds the author's present and future queue entries until a person or the profile
 * decides. A report after a decision opens a new one.
 *
 * @param settle the consumer's report, in the same transaction; runs again after a deadlock; null when there is nothing to
 *   record
 */
export async function reportOptOut(
  actor: Actor,
  settle: (tx: Tx) => Promise<OptOutFinding | null>,
): Promise<void> {
  await changeHolds(async (tx) => {
    const found = await settle(tx);
    if (found === null || !(await insertOptOut(tx, found))) return { result: undefined, changes: [] };
    await recordAudit(tx, actor, {
      action: "opt_out.report",
      subject: `@${found.author_key}`,
      after: { post_id: found.post_id },
    });
    return {
      result: undefined,
      changes: [{ pattern_type: "exact", patterns: [found.author_key] }],
    };
  });
}

/**
 * Dismissed: the author's posts are released. Confirmed: the author is blocked by name. Posts stay: for a person's
 * decision see `decideOptOut`.
 *
 * @returns false when no report is open
 */
export async function resolveOptOut(
  actor: Actor,
  authorKey: string,
  resolution: OptOutResolution,
): Promise<boolean> {
  return changeHolds(async (tx) => {
    const changes = await resolveInside(tx, actor, authorKey, resolution);
    return { result: changes !== null, changes: changes ?? [] };
  });
}

/**
 * For use inside `changeHolds`; null when no report is open.
 *
 * @param after shown in the audit log
 */
export async function resolveInside(
  tx: Tx,
  actor: Actor,
  authorKey: string,
  resolution: OptOutResolution,
  after?: { deleted_posts: number },
): Promise<HoldChange[] | null> {
  const report = await closeOptOut(tx, authorKey, resolution);
  if (report === null) return null;
  if (resolution === "confirmed") {
    // Without the report's reason, which is deleted with its post. Notes of the block lists are not.
    await insertBlockedAccount(tx, authorKey, "Opted out");
  }
  await recordAudit(tx, actor, {
    action: `opt_out.${resolution}`,
    subject: `@${authorKey}`,
    before: { post_id: report.post_id },
    ...(after === undefined ? {} : { after }),
  });
  return [{ pattern_type: "exact", patterns: [authorKey] }];
}

/**
 * @param account of a path, which Next.js passes undecoded, or of a body
 * @throws ApiError `opt_out_not_found` when it is no account
 */
export function optOutKey(account: string): string {
  try {
    const key = authorKey(decodeURIComponent(account));
    if (key !== null && !key.includes("\0")) return key;
  } catch {
    // Wrong percent-encoding.
  }
  throw new ApiError("opt_out_not_found");
}

const LISTED = 100;

/** Open reports, oldest first. */
export async function listOptOuts(): Promise<OptOutList> {
  const { rows, total } = await openOptOuts(LISTED);
  const items = rows.map((row) => ({
    account: `@${row.author_key}`,
    reason: row.reason,
    post_id: row.post_id,
    reported_at: toIso(row.reported_at),
    held: row.held,
  }));
  return { items, total };
}

/**
 * Confirms an open report when the profile refuses. Errors are only logged: the posts are already deleted.
 */
export async function confirmOptOut(author: string): Promise<void> {
  try {
    await resolveOptOut(servicePrincipal, author, "confirmed");
  } catch (error) {
    log.warn({ err: error }, "reported opt-out not confirmed");
  }
}
