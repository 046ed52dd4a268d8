import { Prisma } from "#lib/db.ts";
import type { Place } from "./search-after.ts";

/** How near the AI was to not knowing, of rows named `p`: 0 to 0.5, and 1 without a score. As in the indexes. */
export const unsureness = Prisma.sql`coalesce(abs(p.ai_score - 0.5), 1)`;

/** What rows are ordered by. */
export interface Ordered {
  moment: Prisma.Sql;
  created_at: Prisma.Sql;
  author_key: Prisma.Sql;
  id: Prisma.Sql;
}

/**
 * Conditions of which each finds a part of what comes behind a place, the parts in order: the rest of those that have
 * the same author or score, and what comes behind these. An index walks to each at once; to both in one it would have
 * to pass all that stand before, and a million posts may have no score.
 */
export function partsAfter(place: Place, row: Ordered): Prisma.Sql[] {
  const { order, moment, id, key } = place;
  const from = Prisma.sql`(${moment}::timestamptz, ${id}::int)`;
  if (order === "newest") return [Prisma.sql`(${row.moment}, ${row.id}) < ${from}`];
  if (order === "oldest") return [Prisma.sql`(${row.moment}, ${row.id}) > ${from}`];
  const behind = Prisma.sql`(${row.created_at}, ${row.id}) < ${from}`;
  const [by, at] =
    order === "author" ? [row.author_key, Prisma.sql`${key}`] : [unsureness, Prisma.sql`${key}::float8`];
  return [Prisma.sql`${by} = ${at} AND ${behind}`, Prisma.sql`${by} > ${at}`];
}

/** What comes behind a place, as one condition. */
export function isAfter(place: Place, row: Ordered): Prisma.Sql {
  return Prisma.sql`(${Prisma.join(partsAfter(place, row), " OR ")})`;
}
