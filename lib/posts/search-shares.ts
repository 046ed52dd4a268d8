import { db } from "#lib/db.ts";
import type { PostFilters } from "./schema.ts";
import { searchedTexts } from "./select-posts.ts";
import { searchTerms } from "./search-tokens.ts";

/**
 * What ANALYZE knows of `post.search`: how many posts there are, and the share of them that has a lexeme, for the
 * thousand or so most frequent ones. What is missing there is in less than about one post in 300.
 */
export interface SearchShares {
  posts: number;
  shares: ReadonlyMap<string, number>;
}

/**
 * More matching posts than this are looked for among the newest, fewer are fetched through the index of words and
 * sorted. Either way works for either; it is where their costs meet, not a limit.
 */
const FREQUENT = 10_000;
/** ANALYZE runs every few thousand posts; a share as old as this chooses the same way. */
const KEPT_MS = 60_000;

let kept: { at: number; shares: Promise<SearchShares> } | null = null;

/** Whether the words in these filters probably occur in more than 10 000 posts. False when nobody has analysed. */
export async function isFrequent(filters: PostFilters): Promise<boolean> {
  const texts = searchedTexts(filters);
  if (texts.length === 0) return false;
  if (kept === null || performance.now() - kept.at > KEPT_MS) {
    const shares = readShares();
    kept = { at: performance.now(), shares };
    // A database that was away for a moment must not be remembered as such.
    shares.catch(() => (kept = null));
  }
  const shares = await kept.shares;
  return shareOf(texts.flatMap(searchTerms), shares) * shares.posts > FREQUENT;
}

/**
 * The probable share of posts that have all terms. Words go together more often than chance has it, so each further
 * one narrows less: the rarest counts in full, the next by its square root, and so on. A term that is not among the
 * frequent ones makes any query a rare one.
 */
export function shareOf(
  terms: readonly { lexeme: string; prefix: boolean }[],
  { shares }: SearchShares,
): number {
  const each = terms.map(({ lexeme, prefix }) =>
    prefix ? shareOfPrefix(lexeme, shares) : shares.get(lexeme),
  );
  if (each.length === 0 || each.includes(undefined)) return 0;
  return (each as number[]).sort((a, b) => a - b).reduce((all, share, n) => all * share ** (1 / 2 ** n), 1);
}

function shareOfPrefix(prefix: string, shares: SearchShares["shares"]): number | undefined {
  let without = 1;
  for (const [lexeme, share] of shares) if (lexeme.startsWith(prefix)) without *= 1 - share;
  return without === 1 ? undefined : 1 - without;
}

async function readShares(): Promise<SearchShares> {
  const rows = await db.$queryRaw<{ posts: number; lexemes: string[] | null; shares: number[] | null }[]>`
    SELECT greatest(c.reltuples, 0)::float8 AS posts, s.most_common_elems::text::text[] AS lexemes,
           s.most_common_elem_freqs::float8[] AS shares
      FROM pg_class c LEFT JOIN pg_stats s
        ON s.schemaname = c.relnamespace::regnamespace::text AND s.tablename = c.relname AND s.attname = 'search'
     WHERE c.oid = 'post'::regclass`;
  const { posts = 0, lexemes, shares } = rows[0] ?? {};
  // Behind the lexemes' own shares stand the smallest, the largest and that of nulls.
  return { posts, shares: new Map((lexemes ?? []).map((lexeme, n) => [lexeme, shares?.[n] ?? 0])) };
}
