import { recordAudit } from "#lib/accounts/record-audit.ts";
import { db, type Tx } from "#lib/base/db.ts";
import { ApiError, validationError } from "#lib/base/errors.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { foldHashtag } from "#lib/fediverse/hashtag.ts";
import type { topical_tag } from "#prisma/generated/client.ts";
import { weekdays, type TopicalTag, type TopicalTagCreate, type TopicalTagUpdate } from "./topical-schema.ts";
import { serializeTopicalTag } from "./serialize-topical.ts";
import { insertTopicalTag, lockTopicalTag } from "./topical-sql.ts";

/** In order of id. */
export async function listTopicalTags(): Promise<TopicalTag[]> {
  const rows = await db.topical_tag.findMany({ orderBy: { id: "asc" } });
  return rows.map(serializeTopicalTag);
}

/**
 * Each reserve reads the rules, so no other row changes.
 *
 * @throws ApiError `topical_tag_exists`
 */
export async function createTopicalTag(actor: Actor, body: TopicalTagCreate): Promise<TopicalTag> {
  const row = await db.$transaction(async (tx) => {
    const inserted = await insertRule(tx, actor, body);
    if (inserted === null) throw new ApiError("topical_tag_exists", { hashtag: body.hashtag });
    return inserted;
  });
  return serializeTopicalTag(row);
}

/** @returns null when the hashtag has a rule already */
async function insertRule(tx: Tx, actor: Actor, body: TopicalTagCreate): Promise<topical_tag | null> {
  const day = body.topical_day_of_week ?? null;
  const inserted = await insertTopicalTag(tx, {
    hashtag: body.hashtag,
    hashtag_folded: foldHashtag(body.hashtag),
    day_of_week: day === null ? null : weekdays.indexOf(day),
    month_day: body.topical_month_day ?? null,
  });
  if (inserted === null) return null;
  const { hashtag, topical_day_of_week, topical_month_day } = serializeTopicalTag(inserted);
  await recordAudit(tx, actor, {
    action: "topical_tag.create",
    subject: `#${hashtag}`,
    after: { topical_day_of_week, topical_month_day },
  });
  return inserted;
}

/**
 * Absent fields stay.
 *
 * @throws ApiError `topical_tag_not_found`; `validation` when no day would be left
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

/**
 * Its posts stay in the queue.
 *
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
}

function daysOf({ topical_day_of_week, topical_month_day }: TopicalTag) {
  return { topical_day_of_week, topical_month_day };
}

function definedOnly(change: TopicalTagUpdate): Partial<ReturnType<typeof daysOf>> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}
