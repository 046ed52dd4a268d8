import { Prisma } from "./db.ts";
import { searchQuery } from "./tokens.ts";

/**
 * SQL condition: a row `post p` contains all words of `q`.
 * @param by `index` uses the GIN index post_search_idx. `row` reads the row that something else has found: no index
 *   serves the function behind the operator, so the planner cannot choose the GIN index for a frequent word.
 */
export function hasWords(q: string, by: "index" | "row"): Prisma.Sql {
  const query = searchQuery(q);
  if (query === null) return Prisma.sql`false`;
  return by === "index"
    ? Prisma.sql`p.search @@ ${query}::tsquery`
    : Prisma.sql`ts_match_vq(p.search, ${query}::tsquery)`;
}
