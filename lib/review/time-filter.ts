import { Prisma } from "#lib/base/db.ts";
import { isExpired, isReadyOnReturn } from "#lib/queue/expired.ts";
import { statesOf, type PostFilters } from "./filter-schema.ts";

/*
 * SQL of the filters on time and decision. They mean the same as in the statistics: a list opened from a figure
 * holds the posts that were counted in it (tests/integration/statistics/figures-agree.test.ts).
 */

/** Column that `happened` names, null for the time of creation. Rows are named `p` and `e`. */
export function timeColumn({ happened }: PostFilters): Prisma.Sql | null {
  switch (happened) {
    case "fetched":
      return Prisma.sql`p.fetched_at`;
    case "reviewed":
      return Prisma.sql`p.reviewed_at`;
    case "delivered":
      return Prisma.sql`e.delivered_at`;
    case "errored":
      return Prisma.sql`e.errored_at`;
    default:
      return null;
  }
}

/** Whether only queue entries can answer these filters. */
export function readsEntries(filters: PostFilters): boolean {
  return (
    filters.queue_status !== undefined ||
    filters.held_by !== undefined ||
    filters.happened === "delivered" ||
    filters.happened === "errored" ||
    filters.error_reason !== undefined
  );
}

/** Whether no unreviewed post can match. */
export function excludesUnreviewed(filters: PostFilters): boolean {
  return (
    readsEntries(filters) ||
    filters.approved !== undefined ||
    filters.reviewed === true ||
    filters.happened === "reviewed" ||
    filters.reviewer !== undefined ||
    filters.reviewed_by !== undefined ||
    filters.auto_rejected === true ||
    filters.auto_reject_reason !== undefined ||
    filters.reject_reason !== undefined ||
    filters.warned_by !== undefined
  );
}

/** Conditions on a queue entry `e` alone. States are literals, so that partial indexes apply. */
export function entryConditions(filters: PostFilters): Prisma.Sql[] {
  const conditions: Prisma.Sql[] = [];
  if (filters.queue_status !== undefined)
    conditions.push(Prisma.sql`e.state IN (${Prisma.join(statesOf(filters.queue_status))})`);
  if (filters.queue_status === "with_bot") conditions.push(Prisma.sql`NOT ${isExpired}`);
  if (filters.queue_status === "ready")
    conditions.push(
      Prisma.sql`(e.state = 'pending' AND e.holds = 0 AND e.not_before IS NULL OR ${isReadyOnReturn})`,
    );
  if (filters.happened === "delivered") conditions.push(Prisma.sql`e.state = 'delivered'`);
  if (filters.happened === "errored" || filters.error_reason !== undefined)
    conditions.push(Prisma.sql`e.state = 'error'`);
  // Null only when somebody set the state by hand in the database.
  if (filters.happened === "errored") conditions.push(Prisma.sql`e.errored_at IS NOT NULL`);
  if (filters.error_reason !== undefined)
    conditions.push(Prisma.sql`left(e.error_reason, 200) = left(${filters.error_reason}, 200)`);
  return conditions;
}

/** `since` and `until`, both inclusive, on the time that `happened` names. */
export function timeConditions(filters: PostFilters): Prisma.Sql[] {
  const created = readsEntries(filters) ? Prisma.sql`e.post_created_at` : Prisma.sql`p.created_at`;
  const time = timeColumn(filters) ?? created;
  const conditions: Prisma.Sql[] = [];
  if (filters.since !== undefined) conditions.push(Prisma.sql`${time} >= ${filters.since}::timestamptz`);
  if (filters.until !== undefined) conditions.push(Prisma.sql`${time} <= ${filters.until}::timestamptz`);
  return conditions;
}

const byFilters = Prisma.sql`(NOT p.approved AND p.auto_reject_reason IS NOT NULL)`;
const byReviewers = Prisma.sql`(p.approved OR p.auto_reject_reason IS NULL)`;

/** Conditions on the decision about a post `p`: by whom and why. */
export function decisionConditions(filters: PostFilters): Prisma.Sql[] {
  const conditions: Prisma.Sql[] = [];
  const { reviewer, reviewed_by, auto_rejected, auto_reject_reason, reject_reason } = filters;
  const isReviewer = reviewer !== undefined || reviewed_by !== undefined;
  if (filters.happened === "reviewed" || isReviewer) conditions.push(Prisma.sql`p.approved IS NOT NULL`);
  if (isReviewer) conditions.push(byReviewers);
  if (reviewer !== undefined)
    conditions.push(
      reviewer === 0
        ? Prisma.sql`p.reviewed_by_member IS NULL`
        : Prisma.sql`p.reviewed_by_member = ${reviewer}`,
    );
  if (reviewed_by !== undefined) conditions.push(Prisma.sql`coalesce(p.reviewed_by, '') = ${reviewed_by}`);
  if (auto_rejected === true) conditions.push(byFilters);
  // IS NOT TRUE includes unreviewed posts.
  if (auto_rejected === false) conditions.push(Prisma.sql`${byFilters} IS NOT TRUE`);
  if (auto_reject_reason !== undefined)
    conditions.push(Prisma.sql`NOT p.approved AND p.auto_reject_reason = ${auto_reject_reason}`);
  if (reject_reason !== undefined)
    conditions.push(
      reject_reason === 0
        ? Prisma.sql`NOT p.approved AND p.auto_reject_reason IS NULL AND p.reject_reason_id IS NULL`
        : Prisma.sql`p.reject_reason_id = ${reject_reason} AND p.auto_reject_reason IS NULL`,
    );
  return conditions;
}
