import { db, Prisma } from "#lib/db.ts";
import { authorKey } from "#lib/fediverse/account.ts";
import type { PostFilters } from "./schema.ts";
import { selectPosts } from "./select-posts.ts";

/**
 * One filter out of several, which an index of its own answers: everything that matches is among what it finds. When
 * that is few, all of it can be looked at, and a search needs to stop nowhere.
 */
export interface Lead {
  /** SQL of `(id)`. */
  ids: Prisma.Sql;
  /** How many it finds. */
  posts: number;
}

/**
 * The one that finds fewest, or null when each finds more than `most`: each is counted as far as that in an index, which
 * knows all that is asked.
 */
export async function shortLead(filters: PostFilters, most: number): Promise<Lead | null> {
  const leads = leadsOf(filters);
  if (leads.length === 0) return null;
  const [row] = await db.$queryRaw<{ counts: number[] }[]>(countLeads(leads, most));
  const counts = row?.counts ?? [];
  const posts = Math.min(...counts);
  const ids = leads[counts.indexOf(posts)];
  return ids === undefined || posts > most ? null : { ids, posts };
}

/** SQL of one row `(counts)`: how many each lead finds, counted to one more than `most`. */
export function countLeads(leads: readonly Prisma.Sql[], most: number): Prisma.Sql {
  const counts = leads.map(
    (ids) => Prisma.sql`(SELECT count(*)::int FROM (${ids} LIMIT ${most + 1}) counted)`,
  );
  return Prisma.sql`SELECT ARRAY[${Prisma.join(counts)}] AS counts`;
}

/** The leads that these filters have, as SQL of `(id)` in the order of their indexes. */
export function leadsOf(filters: PostFilters): Prisma.Sql[] {
  const { stream_id, seen_in, instance, approved, happened = "created", since, until } = filters;
  const { queue_status, held_by, reviewer, auto_reject_reason } = filters;
  const { language, has_media, ai_would_reject, vision_category } = filters;
  const open = filters.reviewed === false ? { reviewed: false } : {};
  const leads: PostFilters[] = [];
  if (filters.author !== undefined && authorKey(filters.author) !== null)
    leads.push({ author: filters.author, ...open });
  if (stream_id !== undefined) leads.push({ stream_id, ...open });
  if (instance !== undefined) leads.push({ instance });
  if (filters.reviewed === false) leads.push({ reviewed: false });
  if (approved !== undefined) leads.push({ approved });
  if (queue_status !== undefined) leads.push({ queue_status });
  if (held_by !== undefined) leads.push({ held_by });
  if (filters.error_reason !== undefined) leads.push({ queue_status: "error" });
  if (filters.waited_for_delivery !== undefined) leads.push({ queue_status: "delivered" });
  if (reviewer !== undefined && reviewer !== 0) leads.push({ happened: "reviewed", reviewer });
  if (auto_reject_reason !== undefined) leads.push({ happened: "reviewed", auto_reject_reason });
  // No index begins with these: they are counted in that of creation times, which carries them together.
  const looks = { language, has_media, ai_would_reject, vision_category };
  if (Object.values(looks).some((value) => value !== undefined)) {
    const range = happened === "created" ? { since, until } : {};
    leads.push({ ...looks, ...range, stream_id, approved, reviewed: filters.reviewed });
  }
  if (since !== undefined || until !== undefined || happened !== "created")
    leads.push({ happened, since, until });
  return [
    ...leads.map((lead) => {
      const { id, from, where, order } = selectPosts(lead, "newest", "none");
      return Prisma.sql`SELECT ${id} AS id FROM ${from} WHERE ${where} ORDER BY ${order}`;
    }),
    ...(seen_in === undefined
      ? []
      : [
          Prisma.sql`SELECT s.post_id AS id FROM sighting s WHERE s.stream_id = ${seen_in} ORDER BY s.post_id`,
        ]),
  ];
}
