import { Prisma } from "#lib/db.ts";

/* Posts whose advice the desk hides from members until the decision (lib/review/hide-advice.ts). */

const hash = Prisma.sql`((p.id::bigint * 2654435761) % 4294967296)`;

/** The post `p` is in the blind tenth; the same as `isBlind`. */
export const isBlindSql = Prisma.sql`(${hash} * 10 / 4294967296 = 0)`;

/** Distance of the score from 0.5. Posts without a score come last. Index post_unsure_idx. */
export const unsureness = Prisma.sql`coalesce(abs(p.ai_score - 0.5), 1)`;

/**
 * For the desk of a member. The blind tenth is spread evenly between the others by its hash, as if its scores were random.
 * Index post_unreviewed_blind_idx.
 */
export const unsurenessAtDesk = Prisma.sql`
  (CASE WHEN ${isBlindSql} THEN (${hash})::float8 / 858993459.2 ELSE ${unsureness} END)`;
