import { Prisma, type Tx } from "#lib/base/db.ts";

export interface AuthorPost {
  id: number;
  uri_host: string;
  author_key: string;
  policy: string | null;
}

/** The author of the quoted post, as `user@host`. */
const quoted = Prisma.sql`lower(ltrim(quote ->> 'account', '@'))`;

/** Posts of these authors, and posts that quote them: with the host of the quoted one, and without a policy. */
export function lockAuthors(tx: Tx, authorKeys: string[]): Promise<AuthorPost[]> {
  return tx.$queryRaw`
    SELECT id, CASE WHEN own THEN uri_host(uri) ELSE uri_host(quote ->> 'uri') END AS uri_host,
           CASE WHEN own THEN author_key ELSE ${quoted} END AS author_key,
           CASE WHEN own THEN consent ->> 'policy' END AS policy
      FROM post, LATERAL (SELECT author_key = ANY (${authorKeys}::text[]) AS own) is_own
     WHERE author_key = ANY (${authorKeys}::text[])
        OR related <> '{}' AND related && ${authorKeys}::text[] AND ${quoted} = ANY (${authorKeys}::text[])
     ORDER BY id FOR UPDATE OF post`;
}

/**
 * Removes what is stored under the names of authors for whom these hosts speak: the host of the handle, or one whose verified
 * domain that is. A null host speaks for every author.
 *
 * @returns these authors
 */
export async function forgetNames(
  tx: Tx,
  names: readonly { author_key: string; uri_host: string | null }[],
): Promise<string[]> {
  if (names.length === 0) return [];
  const rows = await tx.$queryRaw<{ author_key: string }[]>`
    SELECT DISTINCT author_key FROM jsonb_to_recordset(${JSON.stringify(names)}::jsonb) AS n (author_key text, uri_host text)
     WHERE uri_host IS NULL OR split_part(author_key, '@', 2) = uri_host
        OR EXISTS (SELECT FROM host_state WHERE host = uri_host AND domain = split_part(author_key, '@', 2))
     ORDER BY 1`;
  const authors = rows.map(({ author_key }) => author_key);
  if (authors.length > 0) await tx.$executeRaw`SELECT unlearn_authors(${authors}::text[])`;
  return authors;
}

/** Those with an open report. */
export async function reportedAuthors(tx: Tx, authorKeys: string[]): Promise<string[]> {
  if (authorKeys.length === 0) return [];
  const rows = await tx.reported_opt_out.findMany({
    where: { author_key: { in: authorKeys }, resolved_at: null },
    select: { author_key: true },
  });
  return rows.map(({ author_key }) => author_key);
}
