import type { ActionKind, Outlook, StoredAction } from "#lib/actions/action-kind.ts";
import { recordAction } from "#lib/actions/record-action.ts";
import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { db, type Tx } from "#lib/db.ts";
import { foldHashtag } from "#lib/fediverse/hashtag.ts";
import { applyWithin } from "#lib/filters/block-changes.ts";
import { ApiError, validationError } from "#lib/errors.ts";
import { weekdays, type TopicalTag, type TopicalTagCreate, type TopicalTagUpdate } from "./schema.ts";
import type { topical_tag } from "#prisma/generated/client.ts";
import { serializeTopicalTag, weekdayName } from "./serialize.ts";
import { insertTopicalTag, lockTopicalTag } from "./sql.ts";

/** In order of id. */
export async function listTopicalTags(): Promise<TopicalTag[]> {
  const rows = await db.topical_tag.findMany({ orderBy: { id: "asc" } });
  return rows.map(serializeTopicalTag);
}

/**
 * The commit matches the first 2 000 waiting posts; the others follow in batches
 * (docs/decisions/0006-block-changes-in-batches.md).
 *
 * @throws ApiError `topical_tag_exists`
 */
export async function createTopicalTag(actor: Actor, body: TopicalTagCreate): Promise<TopicalTag> {
  const row = await db.$transaction(async (tx) => {
    const inserted = await insertRule(tx, actor, body);
    if (inserted === null) throw new ApiError("topical_tag_exists", { hashtag: body.hashtag });
    return inserted;
  });
  await applyWithin(2_000);
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
  await record(tx, actor, "create", null, inserted);
  return inserted;
}

/**
 * Absent fields stay. Each reserve reads the days, so no other row changes.
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
    await record(tx, actor, "update", row, changed);
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
    await record(tx, actor, "delete", row, null);
  });
  await applyWithin(2_000);
}

type Rule = Pick<topical_tag, "id" | "hashtag" | "hashtag_folded" | "day_of_week" | "month_day">;

/** `before` of a change. */
interface RuleBefore {
  id: number;
  former: Rule | null;
  /** The rule that the change stored; null when it was deleted. */
  stored: Rule | null;
}

async function record(
  tx: Tx,
  actor: Actor,
  change: "create" | "update" | "delete",
  former: topical_tag | null,
  stored: topical_tag | null,
): Promise<void> {
  const { id, hashtag } = (former ?? stored) as Rule;
  await recordAction(tx, actor, {
    kind: "topical_tag",
    changed: 1,
    details: { change, name: `#${hashtag}` },
    before: { id, former: former && ruleOf(former), stored: stored && ruleOf(stored) },
  });
}

function ruleOf({ id, hashtag, hashtag_folded, day_of_week, month_day }: Rule): Rule {
  return { id, hashtag, hashtag_folded, day_of_week, month_day };
}

const beforeOf = ({ before }: StoredAction) => before as RuleBefore;

const changedAgain: Outlook = { restorable: 0, limits: { changed_again: 1 } };

function outlookOf(action: StoredAction, now: Rule | null): Outlook {
  const { stored } = beforeOf(action);
  const isSame =
    now === null || stored === null
      ? now === stored
      : now.day_of_week === stored.day_of_week && now.month_day === stored.month_day;
  return isSame ? { restorable: 1, limits: {} } : changedAgain;
}

/** Restores the former rule, or removes a new one, unless it changed again. */
export const topicalTagKind: ActionKind = {
  scope: "manage",
  outlook: async (actions) => {
    const ids = actions.map((action) => beforeOf(action).id);
    const rows = await db.topical_tag.findMany({ where: { id: { in: ids } } });
    const now = new Map(rows.map((row) => [row.id, row]));
    return new Map(
      actions.map((action) => [action.id, outlookOf(action, now.get(beforeOf(action).id) ?? null)]),
    );
  },
  undo: async (tx, actor, action) => {
    const { id, former } = beforeOf(action);
    const now = await lockTopicalTag(tx, id);
    const { restorable, limits } = outlookOf(action, now);
    if (restorable === 0 || !(await restoreRule(tx, id, former, now)))
      return { restored: 0, limits: restorable === 0 ? limits : changedAgain.limits };
    await recordAudit(tx, actor, {
      action: `topical_tag.${former === null ? "delete" : now === null ? "create" : "update"}`,
      subject: String(action.details["name"]),
      before: now && shownDays(now),
      after: former && shownDays(former),
    });
    return { restored: 1, limits: {}, after: () => applyWithin(2_000) };
  },
};

function shownDays({ day_of_week, month_day }: Rule) {
  const weekday = day_of_week === null ? null : weekdayName(day_of_week);
  return { topical_day_of_week: weekday, topical_month_day: month_day };
}

/** @returns false when another rule has the hashtag meanwhile */
async function restoreRule(tx: Tx, id: number, former: Rule | null, now: Rule | null): Promise<boolean> {
  if (former === null) {
    await tx.topical_tag.delete({ where: { id }, select: { id: true } });
    return true;
  }
  if (now === null) return (await insertTopicalTag(tx, former)) !== null;
  const { day_of_week, month_day } = former;
  await tx.topical_tag.update({ where: { id }, data: { day_of_week, month_day }, select: { id: true } });
  return true;
}

function daysOf({ topical_day_of_week, topical_month_day }: TopicalTag) {
  return { topical_day_of_week, topical_month_day };
}

function definedOnly(change: TopicalTagUpdate): Partial<ReturnType<typeof daysOf>> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}
