import { db } from "#lib/base/db.ts";
import { searchTerms, type SearchTerm } from "#lib/base/tokens.ts";

/** Share of posts that contain a lexeme, for the lexemes that ANALYZE counted as frequent. */
export interface WordStatistics {
  posts: number;
  shares: ReadonlyMap<string, number>;
}

/** Where both ways of searching cost the same: fewer posts are fetched through the GIN index. */
const FREQUENT_POSTS = 10_000;
/** ANALYZE runs after every 2 % of new posts, so older statistics lead to the same choice. */
const CACHE_MS = 60_000;

let cached: { at: number; statistics: Promise<WordStatistics> } | null = null;

/** Whether all words of these texts together probably occur in more than 10 000 posts. False before ANALYZE has run. */
export async function areFrequent(texts: readonly string[]): Promise<boolean> {
  if (texts.length === 0) return false;
  if (cached === null || performance.now() - cached.at > CACHE_MS) {
    const statistics = readStatistics();
    cached = { at: performance.now(), statistics };
    // A failed read is not cached.
    statistics.catch(() => (cached = null));
  }
  const statistics = await cached.statistics;
  return shareOf(texts.flatMap(searchTerms), statistics) * statistics.posts > FREQUENT_POSTS;
}

/**
 * Estimated share of posts that contain all terms. Words of one post are correlated, so the product of the shares is
 * far too low: the rarest term counts in full, the next one by its square root, and so on. A term without statistics
 * makes the whole query rare.
 */
export function shareOf(terms: readonly SearchTerm[], { shares }: WordStatistics): number {
  const known = terms.map(({ lexeme, prefix }) =>
    prefix ? shareOfPrefix(lexeme, shares) : shares.get(lexeme),
  );
  if (known.length === 0 || known.includes(undefined)) return 0;
  return (known as number[]).sort((a, b) => a - b).reduce((all, share, n) => all * share ** (1 / 2 ** n), 1);
}

function shareOfPrefix(prefix: string, shares: WordStatistics["shares"]): number | undefined {
  let without = 1;
  for (const [lexeme, share] of shares) if (lexeme.startsWith(prefix)) without *= 1 - share;
  return without === 1 ? undefined : 1 - without;
}

async function readStatistics(): Promise<WordStatistics> {
  const rows = await db.$queryRaw<{ posts: number; lexemes: string[] | null; shares: number[] | null }[]>`
    SELECT greatest(c.reltuples, 0)::float8 AS posts, s.most_common_elems::text::text[] AS lexemes,
           s.most_common_elem_freqs::float8[] AS shares
      FROM pg_class c LEFT JOIN pg_stats s
        ON s.schemaname = c.relnamespace::regnamespace::text AND s.tablename = c.relname AND s.attname = 'search'
     WHERE c.oid = 'post'::regclass`;
  const { posts = 0, lexemes, shares } = rows[0] ?? {};
  // most_common_elem_freqs ends with three more figures: the smallest and largest share and the share of nulls.
  return { posts, shares: new Map((lexemes ?? []).map((lexeme, n) => [lexeme, shares?.[n] ?? 0])) };
}
