import { Prisma } from "#lib/base/db.ts";
import { authorKey } from "#lib/fediverse/account.ts";
import { isExpired, isReadyOnReturn } from "#lib/queue/expired.ts";
import { heldReasons, holdBits } from "#lib/queue/holds.ts";
import { statesOf, type PostFilters, type TimedEvent } from "./filter-schema.ts";
import { addressedPosts, searchedAddress } from "./look-up-address.ts";

/*
 * SQL of the filters. Those on time and decision mean the same as in the statistics: a list opened from a figure
 * holds the posts that were counted in it (tests/integration/statistics/figures-agree.test.ts).
 */

type Conditions = {
  [Name in keyof PostFilters]?: (value: NonNullable<PostFilters[Name]>) => Prisma.Sql | [];
};

function conditionsOf(table: Conditions, filters: PostFilters): Prisma.Sql[] {
  return Object.entries(table).flatMap(([name, condition]) => {
    const value = filters[name as keyof PostFilters];
    return value === undefined ? [] : (condition as (value: unknown) => Prisma.Sql | [])(value);
  });
}

const isRejectedByFilter = Prisma.sql`(NOT p.approved AND p.auto_reject_reason IS NOT NULL)`;
const isDecidedByReviewer = Prisma.sql`p.approved IS NOT NULL AND (p.approved OR p.auto_reject_reason IS NULL)`;

/** Filters that a post `p` alone answers. */
const postConditionTable: Conditions = {
  q: (q) => {
    const address = searchedAddress(q);
    return address === null ? [] : Prisma.sql`p.id IN (${addressedPosts(address)})`;
  },
  approved: (is) => Prisma.sql`p.approved = ${is}`,
  reviewed: (is) => (is ? Prisma.sql`p.approved IS NOT NULL` : Prisma.sql`p.approved IS NULL`),
  seen_in: (id) => Prisma.sql`p.id IN (SELECT s.post_id FROM sighting s WHERE s.stream_id = ${id})`,
  language: (language) => {
    const wanted = language.toLowerCase();
    // The expression of the statistics object post_language_share, or the planner cannot estimate the rows.
    const tag = Prisma.sql`lower(p.language COLLATE "C")`;
    return Prisma.sql`(${tag} = ${wanted} OR starts_with(${tag}, ${`${wanted}-`}))`;
  },
  has_media: (has) => (has ? Prisma.sql`p.media_count > 0` : Prisma.sql`p.media_count = 0`),
  ai_would_reject: (would) => Prisma.sql`p.ai_would_reject = ${would}`,
  ai_result: (result) =>
    result === "not_checked"
      ? Prisma.sql`p.ai_would_reject IS NULL`
      : // Scores and category as in `isUnsure` (lib/client/desk/unsure.ts).
        Prisma.sql`(NOT p.ai_would_reject AND (p.ai_score BETWEEN 0.35::real AND 0.65::real OR p.vision_category = 'uncertain'))`,
  vision_category: (category) => Prisma.sql`p.vision_category = ${category}`,
  warned_by: (check) => Prisma.sql`p.id IN (SELECT x.post_id FROM learnt x WHERE ${check} = ANY (x.warned))`,
  instance: (host) => Prisma.sql`p.instance = ${host.trim().toLowerCase()}`,
  happened: (event) => (event === "reviewed" ? Prisma.sql`p.approved IS NOT NULL` : []),
  reviewer: (id) => {
    const member =
      id === 0 ? Prisma.sql`p.reviewed_by_member IS NULL` : Prisma.sql`p.reviewed_by_member = ${id}`;
    return Prisma.sql`${isDecidedByReviewer} AND ${member}`;
  },
  reviewed_by: (name) => Prisma.sql`${isDecidedByReviewer} AND coalesce(p.reviewed_by, '') = ${name}`,
  // IS NOT TRUE includes unreviewed posts.
  auto_rejected: (is) => (is ? isRejectedByFilter : Prisma.sql`${isRejectedByFilter} IS NOT TRUE`),
  auto_reject_reason: (reason) => Prisma.sql`NOT p.approved AND p.auto_reject_reason = ${reason}`,
  reject_reason: (id) =>
    id === 0
      ? Prisma.sql`NOT p.approved AND p.auto_reject_reason IS NULL AND p.reject_reason_id IS NULL`
      : Prisma.sql`p.reject_reason_id = ${id} AND p.auto_reject_reason IS NULL`,
};

const ALL_HOLDS = Object.values(holdBits).reduce((sum, bit) => sum + bit, 0);

/** Filters that a queue entry `e` alone answers. States are literals, so that partial indexes apply. */
const entryConditionTable: Conditions = {
  queue_status: (status) => {
    const inState = Prisma.sql`e.state IN (${Prisma.join(statesOf(status))})`;
    if (status === "with_bot") return Prisma.sql`${inState} AND NOT ${isExpired}`;
    if (status !== "ready") return inState;
    return Prisma.sql`${inState} AND (e.state = 'pending' AND e.holds = 0 AND e.not_before IS NULL OR ${isReadyOnReturn})`;
  },
  held_by: (reason) => {
    if (reason === "any") return Prisma.sql`e.state <> 'delivered' AND e.holds > 0`;
    const bit = holdBits[reason];
    const earlier = heldReasons
      .slice(0, heldReasons.indexOf(reason))
      .reduce((sum, each) => sum + holdBits[each], 0);
    // Also as a range, for queue_entry_confirmed_idx.
    return Prisma.sql`e.state <> 'delivered' AND e.holds BETWEEN ${bit}::int AND ${ALL_HOLDS & ~earlier}::int
      AND e.holds & ${earlier + bit}::int = ${bit}::int`;
  },
  happened: (event) =>
    event === "delivered"
      ? Prisma.sql`e.state = 'delivered'`
      : // Null only when somebody set the state by hand in the database.
        event === "errored"
        ? Prisma.sql`e.state = 'error' AND e.errored_at IS NOT NULL`
        : [],
  error_reason: (reason) =>
    Prisma.sql`e.state = 'error' AND left(e.error_reason, 200) = left(${reason}, 200)`,
};

/** Conditions of the filters on a post `p`. */
export const postConditions = (filters: PostFilters) => conditionsOf(postConditionTable, filters);
/** Conditions of the filters on a queue entry `e`. */
export const entryConditions = (filters: PostFilters) => conditionsOf(entryConditionTable, filters);

/** Conditions on columns that a post and its queue entry share. `row`: `p` or `e`. */
export function sharedConditions({ stream_id, author }: PostFilters, row: Prisma.Sql): Prisma.Sql[] {
  const key = author === undefined ? null : authorKey(author);
  return [
    ...(stream_id === undefined ? [] : [Prisma.sql`${row}.stream_id = ${stream_id}`]),
    ...(key === null ? [] : [Prisma.sql`${row}.author_key = ${key}`]),
  ];
}

const timeColumns: Partial<Record<TimedEvent, Prisma.Sql>> = {
  fetched: Prisma.sql`p.fetched_at`,
  reviewed: Prisma.sql`p.reviewed_at`,
  delivered: Prisma.sql`e.delivered_at`,
  errored: Prisma.sql`e.errored_at`,
};

/** Column of `p` or `e` with the time of the event `happened`; null for the creation of the post. */
export function timeColumn({ happened = "created" }: PostFilters): Prisma.Sql | null {
  return timeColumns[happened] ?? null;
}

/** Conditions of `since` and `until`, both inclusive, on the time of the event `happened`. */
export function timeConditions(filters: PostFilters): Prisma.Sql[] {
  const created = readsEntries(filters) ? Prisma.sql`e.post_created_at` : Prisma.sql`p.created_at`;
  const time = timeColumn(filters) ?? created;
  const table: Conditions = {
    since: (since) => Prisma.sql`${time} >= ${since}::timestamptz`,
    until: (until) => Prisma.sql`${time} <= ${until}::timestamptz`,
  };
  return conditionsOf(table, filters);
}

/** Whether only queue entries can answer these filters. */
export function readsEntries(filters: PostFilters): boolean {
  return entryConditions(filters).length > 0;
}

/** Filters that no unreviewed post matches. */
const decidedOnly = [
  "approved",
  "reviewer",
  "reviewed_by",
  "auto_reject_reason",
  "reject_reason",
  "warned_by",
] as const;

/** Whether no unreviewed post can match. */
export function excludesUnreviewed(filters: PostFilters): boolean {
  return (
    readsEntries(filters) ||
    filters.reviewed === true ||
    filters.happened === "reviewed" ||
    filters.auto_rejected === true ||
    decidedOnly.some((name) => filters[name] !== undefined)
  );
}
