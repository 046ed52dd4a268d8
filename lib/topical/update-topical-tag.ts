import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { db } from "#lib/db.ts";
import { ApiError, validationError } from "#lib/errors.ts";
import { weekdays, type TopicalTag, type TopicalTagUpdate } from "./schema.ts";
import { serializeTopicalTag } from "./serialize.ts";
import { lockTopicalTag } from "./sql.ts";

/**
 * Moves a rule to other days; what is not named stays. The queue reads the days with every reserve, so nothing else
 * has to change.
 * @throws ApiError `topical_tag_not_found`, 422 when no day would be left
 */
export async function updateTopicalTag(
  actor: Actor,
  id: number,
  change: TopicalTagUpdate,
): Promise<TopicalTag> {
  return db.$transaction(async (tx) => {
    const row = await lockTopicalTag(tx, id);
    if (row === null) throw new ApiError("topical_tag_not_found");
    const before = daysOf(serializeTopicalTag(row));
    const after = { ...before, ...definedOnly(change) };
    if (after.topical_day_of_week === null && after.topical_month_day === null) {
      throw validationError([
        { path: "body", message: "must leave topical_day_of_week or topical_month_day" },
      ]);
    }
    const { topical_day_of_week: day, topical_month_day: month_day } = after;
    if (day === before.topical_day_of_week && month_day === before.topical_month_day) {
      return serializeTopicalTag(row);
    }
    const day_of_week = day === null ? null : weekdays.indexOf(day);
    const changed = await tx.topical_tag.update({ where: { id }, data: { day_of_week, month_day } });
    await recordAudit(tx, actor, { action: "topical_tag.update", subject: `#${row.hashtag}`, before, after });
    return serializeTopicalTag(changed);
  });
}

function daysOf({ topical_day_of_week, topical_month_day }: TopicalTag) {
  return { topical_day_of_week, topical_month_day };
}

function definedOnly(change: TopicalTagUpdate): Partial<ReturnType<typeof daysOf>> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}
