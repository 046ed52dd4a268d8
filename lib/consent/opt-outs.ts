import { recordAudit } from "#lib/audit/record-audit.ts";
import { type Actor, servicePrincipal } from "#lib/auth/principal.ts";
import { toIso } from "#lib/clock.ts";
import type { Tx } from "#lib/db.ts";
import { ApiError } from "#lib/errors.ts";
import { authorKey } from "#lib/fediverse/account.ts";
import { changeBlockLists, type BlockChange } from "#lib/filters/block-changes.ts";
import { insertBlockedAccount } from "#lib/filters/block-lists.ts";
import { log } from "#lib/log.ts";
import type { OptOutList } from "./opt-out-schema.ts";
import { type OptOutResolution, closeOptOut, insertOptOut, openOptOuts } from "./opt-outs-sql.ts";

/** What a consumer puts into `error_details.error_type`: the tag or setting it found. */
const OPT_OUT_TYPES = new Set(["nobot", "nobots", "noindex", "nosearch", "noarchive", "opt_out"]);

/** Whether a consumer's error report says that the author does not want to be boosted. */
export function isOptOutReport(reason: string, details: object | null): boolean {
  const type = (details as { error_type?: unknown } | null)?.error_type;
  if (typeof type === "string" && OPT_OUT_TYPES.has(type.toLowerCase())) return true;
  return /\bopt(?:s|ed)?[ -]out of bot interaction/i.test(reason);
}

/** What a consumer found out about an author, and with which post. */
export interface OptOutFinding {
  author_key: string;
  post_id: number;
  reason: string;
}

/**
 * Notes a reported opt-out and holds everything the author has in the queue, now and when it comes, until a person
 * or the next look at the profile decides. A report after a decision opens the question again; one more while it is
 * open changes nothing.
 * @param settle what the report came with, in the same transaction: both are done, or neither is. Run again after a
 *   deadlock. Null: there is nothing to note after all.
 */
export async function reportOptOut(
  actor: Actor,
  settle: (tx: Tx) => Promise<OptOutFinding | null>,
): Promise<void> {
  await changeBlockLists(async (tx) => {
    const found = await settle(tx);
    if (found === null || !(await insertOptOut(tx, found))) return { result: undefined, changes: [] };
    await recordAudit(tx, actor, {
      action: "opt_out.report",
      subject: `@${found.author_key}`,
      after: { post_id: found.post_id, reason: found.reason },
    });
    return {
      result: undefined,
      changes: [{ kind: "opt_out", pattern_type: "exact", patterns: [found.author_key] }],
    };
  });
}

/**
 * Decides about a reported opt-out. Dismissed: the author's posts are free again. Confirmed: the author is blocked
 * by name from then on, so posts that wait stay held, new ones are auto-rejected, and the decision can be seen and
 * taken back where all blocks are.
 * @returns false when no report about this author is open
 */
export async function resolveOptOut(
  actor: Actor,
  authorKey: string,
  resolution: OptOutResolution,
): Promise<boolean> {
  return changeBlockLists(async (tx) => {
    const report = await closeOptOut(tx, authorKey, resolution);
    if (report === null) return { result: false, changes: [] };
    const changes: BlockChange[] = [{ kind: "opt_out", pattern_type: "exact", patterns: [authorKey] }];
    if (resolution === "confirmed") {
      await insertBlockedAccount(tx, authorKey, `Opted out: ${report.reason}`);
      // First the block, then the report: in between the posts are held twice, not free.
      changes.unshift({ kind: "user", pattern_type: "exact", patterns: [authorKey] });
    }
    await recordAudit(tx, actor, {
      action: `opt_out.${resolution}`,
      subject: `@${authorKey}`,
      before: { ...report },
    });
    return { result: true, changes };
  });
}

/**
 * Somebody's decision about a reported opt-out.
 * @param account `@user@host` as it stands in the path
 * @throws ApiError `opt_out_not_found` when none is open, somebody else having decided it included
 */
export async function decideOptOut(
  actor: Actor,
  account: string,
  resolution: OptOutResolution,
): Promise<void> {
  const key = keyOf(account);
  if (key === null || !(await resolveOptOut(actor, key, resolution))) throw new ApiError("opt_out_not_found");
}

/** Next hands over path segments as they were sent. */
function keyOf(account: string): string | null {
  try {
    const key = authorKey(decodeURIComponent(account));
    return key?.includes("\0") ? null : key;
  } catch {
    return null;
  }
}

const LISTED = 100;

/** Reported opt-outs nobody has decided about, oldest first, with what each holds back. */
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
 * A profile says no: that confirms a consumer's open report about its author, if there is one.
 * What the author had here is gone already, so a failure must not stop what else is to be done.
 */
export async function confirmOptOut(author: string): Promise<void> {
  try {
    await resolveOptOut(servicePrincipal, author, "confirmed");
  } catch (error) {
    log.warn({ err: error }, "a reported opt-out was not confirmed");
  }
}
