import type { InlineCaller } from "#lib/auth/principal.ts";
import { servicePrincipal } from "#lib/auth/principal.ts";
import { isOptOutReport, reportOptOut } from "#lib/consent/opt-outs.ts";
import type { Tx } from "#lib/db.ts";
import type { ErrorReport } from "./schema.ts";
import { settleReservation } from "./settle-reservation.ts";

/**
 * A consumer could not use the post: `reserved` → `error`, reason and details kept. A reported opt-out also
 * holds everything else of that author until a person, or the next look at the profile, decides (consumers.md); error
 * and hold are one transaction, so no process that dies in between lets the author's next post be boosted.
 * @throws as settleReservation.
 */
export async function reportError(
  caller: InlineCaller,
  postId: number,
  rawId: string,
  ifMatch: string | null,
  report: ErrorReport,
): Promise<void> {
  const settle = (tx?: Tx) =>
    settleReservation(
      caller,
      postId,
      rawId,
      {
        move: "error",
        scope: "consume",
        if_match: ifMatch,
        reason: report.reason,
        details: report.error_details ?? null,
      },
      tx,
    );
  if (!isOptOutReport(report.reason, report.error_details ?? null)) {
    await settle();
    return;
  }
  await reportOptOut(servicePrincipal, async (tx) => {
    const { author_key } = await settle(tx);
    return author_key === null ? null : { author_key, post_id: postId, reason: report.reason };
  });
}
