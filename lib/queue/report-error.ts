import type { InlineCaller } from "#lib/auth/principal.ts";
import { servicePrincipal } from "#lib/auth/principal.ts";
import { isOptOutReport, reportOptOut } from "#lib/filters/report-opt-out.ts";
import type { ErrorReport } from "./schema.ts";
import { settleReservation } from "./settle-reservation.ts";

/**
 * A consumer could not use the post: `reserved` → `error`, reason and details kept. A reported opt-out also
 * holds everything else of that author until a person, or the next look at the profile, decides (consumers.md).
 * @throws as settleReservation.
 */
export async function reportError(
  caller: InlineCaller,
  postId: number,
  rawId: string,
  ifMatch: string | null,
  report: ErrorReport,
): Promise<void> {
  const row = await settleReservation(caller, postId, rawId, {
    move: "error",
    scope: "consume",
    if_match: ifMatch,
    reason: report.reason,
    details: report.error_details ?? null,
  });
  if (row.author_key !== null && isOptOutReport(report.reason, report.error_details ?? null)) {
    await reportOptOut(servicePrincipal, {
      author_key: row.author_key,
      post_id: postId,
      reason: report.reason,
    });
  }
}
