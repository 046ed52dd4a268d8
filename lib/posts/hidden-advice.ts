import type { Principal } from "#lib/auth/principal.ts";
import { Prisma } from "#lib/db.ts";

/*
 * For one post in ten, members see the advice of the checks only after the decision, so that their agreement with it
 * can be measured without its influence. API keys always see it.
 */

/** The reader of an answer. */
export type Reader = Pick<Principal, "kind">;

const hash = Prisma.sql`((p.id::bigint * 2654435761) % 4294967296)`;

/** The post `p` is in the blind tenth; the same as the SQL function `is_blind`. */
export const isBlind = Prisma.sql`(${hash} * 10 / 4294967296 = 0)`;

/** Distance of the score from 0.5. Posts without a score come last. */
const exact = Prisma.sql`coalesce(abs(p.ai_score - 0.5), 1)`;

/** The blind tenth is spread evenly between the others by its hash, as if its scores were random. */
const spread = Prisma.sql`(${hash})::float8 / 858993459.2`;

/** Values that the order `ai_unsure` compares. */
export const unsureness = {
  /** Index post_unsure_idx, and post_unreviewed_unsure_idx for unreviewed posts. */
  exact,
  /** For members, unreviewed posts only. Index post_unreviewed_blind_idx. */
  unreviewed: Prisma.sql`(CASE WHEN ${isBlind} THEN ${spread} ELSE ${exact} END)`,
  /** For members, any post. No index. */
  any: Prisma.sql`(CASE WHEN p.approved IS NULL AND ${isBlind} THEN ${spread} ELSE ${exact} END)`,
};

/** All posts `p` with the column `unsure`, for members: the planner merges two indexes. */
export const postsByUnsureness = Prisma.sql`(
  SELECT p.*, ${exact} AS unsure FROM post p WHERE p.approved IS NOT NULL
  UNION ALL
  SELECT p.*, ${unsureness.unreviewed} AS unsure FROM post p WHERE p.approved IS NULL) p`;
