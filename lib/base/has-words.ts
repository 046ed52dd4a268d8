import { Prisma } from "./db.ts";
import { searchQuery } from "./tokens.ts";

/**
 * SQL condition: a row `post p` contains all words of `q`.
 *
 * @param by `index` uses the GIN index post_search_idx. `row` compares a row that something else has found. It calls the
 *   function behind the operator, which no index serves, so the planner cannot choose the GIN index for a frequent word.
 */
export function hasWords(q: string, by: "index" | "row"): Prisma.Sql {
  const query = searchQuery(q);
  if (query === null) return Prisma.sql`false`;
  return by === "index"
    ? Prisma.sql`p.search @@ ${query}::tsquery`
    : Prisma.sql`ts_match_vq(p.search, ${query}::tsquery)`;
}
