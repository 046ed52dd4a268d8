import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import type { Tx } from "#lib/db.ts";
import { changeLists } from "#lib/filters/change-lists.ts";
import { insertOptOut } from "./opt-outs-sql.ts";

/** What a consumer puts into `error_details.error_type`: the tag or setting it found (consumers.md, fediverse.md §3). */
const OPT_OUT_TYPES = new Set(["nobot", "nobots", "noindex", "nosearch", "noarchive", "opt_out"]);

/** Whether a consumer's error report says that the author does not want to be boosted (consumers.md). */
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
  await changeLists(async (tx) => {
    const found = await settle(tx);
    if (found === null || !(await insertOptOut(tx, found))) return { result: undefined, concerns: [] };
    await recordAudit(tx, actor, {
      action: "opt_out.report",
      subject: `@${found.author_key}`,
      after: { post_id: found.post_id, reason: found.reason },
    });
    return {
      result: undefined,
      concerns: [{ kind: "opt_out", pattern_type: "exact", patterns: [found.author_key] }],
    };
  });
}
