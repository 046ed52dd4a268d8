import { isDeepStrictEqual } from "node:util";
import { recordAudit } from "#lib/accounts/record-audit.ts";
import { toIso } from "#lib/base/clock.ts";
import { db, type Tx } from "#lib/base/db.ts";
import { ApiError, validationError } from "#lib/base/errors.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { foldHashtag } from "#lib/fediverse/hashtag.ts";
import type { topical_tag } from "#prisma/generated/client.ts";
import { changeHolds } from "./hold-changes.ts";
import { weekdays, type TopicalTag, type TopicalTagCreate, type TopicalTagUpdate } from "./topical-schema.ts";

/** All rules in order of id. */
export async function listTopicalTags(): Promise<TopicalTag[]> {
  const rows = await db.topical_tag.findMany({ orderBy: { id: "asc" } });
  return rows.map(serialize);
}

/**
 * Adds a rule. Waiting posts with the hashtag become topical before this returns, or by the worker within seconds when they
 * are very many.
 *
 * @throws topical_tag_exists
 */
export async function createTopicalTag(actor: Actor, body: TopicalTagCreate): Promise<TopicalTag> {
  const { hashtag, topical_day_of_week = null, topical_month_day = null } = body;
  const days = { topical_day_of_week, topical_month_day };
  const rule = { hashtag, hashtag_folded: foldHashtag(hashtag), ...columnsOf(days) };
  return changeHolds(async (tx) => {
    const [row] = await tx.topical_tag.createManyAndReturn({ data: [rule], skipDuplicates: true });
    if (row === undefined) throw new ApiError("topical_tag_exists", { hashtag });
    await recordAudit(tx, actor, { action: "topical_tag.create", subject: `#${hashtag}`, after: days });
    return { result: serialize(row), changes: [{ pattern_type: "exact", patterns: [rule.hashtag_folded] }] };
  });
}

/**
 * Changes the days of a rule. Absent days stay.
 *
 * @throws topical_tag_not_found; validation when no day would be left
 */
export async function updateTopicalTag(
  actor: Actor,
  id: number,
  change: TopicalTagUpdate,
): Promise<TopicalTag> {
  return db.$transaction(async (tx) => {
    const row = await lockRule(tx, id);
    const before = daysOf(row);
    const { topical_day_of_week = before.topical_day_of_week, topical_month_day = before.topical_month_day } =
      change;
    const after = { topical_day_of_week, topical_month_day };
    if (topical_day_of_week === null && topical_month_day === null) {
      throw validationError([
        { path: "body", message: "must leave topical_day_of_week or topical_month_day" },
      ]);
    }
    if (isDeepStrictEqual(before, after)) return serialize(row);
    const changed = await tx.topical_tag.update({ where: { id }, data: columnsOf(after) });
    await recordAudit(tx, actor, { action: "topical_tag.update", subject: `#${row.hashtag}`, before, after });
    return serialize(changed);
  });
}

/**
 * Deletes a rule. Its posts stay in the queue.
 *
 * @throws topical_tag_not_found
 */
export async function deleteTopicalTag(actor: Actor, id: number): Promise<void> {
  await db.$transaction(async (tx) => {
    const row = await lockRule(tx, id);
    await tx.topical_tag.delete({ where: { id }, select: { id: true } });
    await recordAudit(tx, actor, {
      action: "topical_tag.delete",
      subject: `#${row.hashtag}`,
      before: daysOf(row),
    });
  });
}

async function lockRule(tx: Tx, id: number): Promise<topical_tag> {
  const [row] = await tx.$queryRaw<topical_tag[]>`SELECT * FROM topical_tag WHERE id = ${id} FOR UPDATE`;
  if (row === undefined) throw new ApiError("topical_tag_not_found");
  return row;
}

type Days = Pick<TopicalTag, "topical_day_of_week" | "topical_month_day">;

/** The days of a row, as the API shows them. */
function daysOf({ day_of_week: day, month_day }: topical_tag): Days {
  return { topical_day_of_week: day === null ? null : (weekdays[day] ?? null), topical_month_day: month_day };
}

function columnsOf({ topical_day_of_week: day, topical_month_day: month_day }: Days) {
  return { day_of_week: day === null ? null : weekdays.indexOf(day), month_day };
}

function serialize(row: topical_tag): TopicalTag {
  const { id, hashtag, created_at } = row;
  return { id, hashtag, ...daysOf(row), created_at: toIso(created_at) };
}
