import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { db } from "#lib/db.ts";
import { foldHashtag } from "#lib/fediverse/hashtag.ts";
import { applyWithin } from "#lib/filters/block-changes.ts";
import { ApiError } from "#lib/errors.ts";
import { weekdays, type TopicalTag, type TopicalTagCreate } from "./schema.ts";
import { serializeTopicalTag } from "./serialize.ts";
import { insertTopicalTag } from "./sql.ts";

/**
 * Gives a hashtag its day. Of the posts that wait already the first two thousand are found by the rule with the commit
 * (triggers in the migration `blocks`), the others in batches.
 * @throws ApiError `topical_tag_exists`
 */
export async function createTopicalTag(actor: Actor, body: TopicalTagCreate): Promise<TopicalTag> {
  const day = body.topical_day_of_week ?? null;
  const row = await db.$transaction(async (tx) => {
    const inserted = await insertTopicalTag(tx, {
      hashtag: body.hashtag,
      hashtag_folded: foldHashtag(body.hashtag),
      day_of_week: day === null ? null : weekdays.indexOf(day),
      month_day: body.topical_month_day ?? null,
    });
    if (inserted === null) throw new ApiError("topical_tag_exists", { hashtag: body.hashtag });
    const { hashtag, topical_day_of_week, topical_month_day } = serializeTopicalTag(inserted);
    await recordAudit(tx, actor, {
      action: "topical_tag.create",
      subject: `#${hashtag}`,
      after: { topical_day_of_week, topical_month_day },
    });
    return inserted;
  });
  await applyWithin(2_000);
  return serializeTopicalTag(row);
}
