import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/auth/record-audit.ts";
import { changeLists } from "./change-lists.ts";
import { insertOptOut } from "./sql-opt-outs.ts";

/** What a consumer puts into `error_details.error_type`: the tag or setting it found (consumers.md, fediverse.md §3). */
const OPT_OUT_TYPES = new Set(["nobot", "nobots", "noindex", "nosearch", "noarchive", "opt_out"]);

/** Whether a consumer's error report says that the author does not want to be boosted (consumers.md). */
export function isOptOutReport(reason: string, details: object | null): boolean {
  const type = (details as { error_type?: unknown } | null)?.error_type;
  if (typeof type === "string" && OPT_OUT_TYPES.has(type.toLowerCase())) return true;
  return /\bopt(?:s|ed)?[ -]out of bot interaction/i.test(reason);
}

/**
 * Notes a reported opt-out and holds everything the author has in the queue, now and when it comes, until a person
 * or the next look at the profile decides. A report after a decision opens the question again; one more while it is
 * open changes nothing. In transactions of its own: never call it while holding queue entries.
 */
export async function reportOptOut(
  actor: Actor,
  report: { author_key: string; post_id: number; reason: string },
): Promise<void> {
  await changeLists(async (tx) => {
    const isNews = await insertOptOut(tx, report);
    if (!isNews) return { result: undefined, concerns: [] };
    await recordAudit(tx, actor, {
      action: "opt_out.report",
      subject: `@${report.author_key}`,
      after: { post_id: report.post_id, reason: report.reason },
    });
    return {
      result: undefined,
      concerns: [{ kind: "opt_out", pattern_type: "exact", patterns: [report.author_key] }],
    };
  });
}
