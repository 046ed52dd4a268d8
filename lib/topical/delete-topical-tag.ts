import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { db } from "#lib/db.ts";
import { applyWithin } from "#lib/filters/block-changes.ts";
import { ApiError } from "#lib/errors.ts";
import { serializeTopicalTag } from "./serialize.ts";
import { lockTopicalTag } from "./sql.ts";

/**
 * Takes a hashtag's day away; its posts go on waiting like all others.
 * @throws ApiError `topical_tag_not_found`
 */
export async function deleteTopicalTag(actor: Actor, id: number): Promise<void> {
  await db.$transaction(async (tx) => {
    const row = await lockTopicalTag(tx, id);
    if (row === null) throw new ApiError("topical_tag_not_found");
    await tx.topical_tag.delete({ where: { id }, select: { id: true } });
    const { topical_day_of_week, topical_month_day } = serializeTopicalTag(row);
    await recordAudit(tx, actor, {
      action: "topical_tag.delete",
      subject: `#${row.hashtag}`,
      before: { topical_day_of_week, topical_month_day },
    });
  });
  await applyWithin(2_000);
}
