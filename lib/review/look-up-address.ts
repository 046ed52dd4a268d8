import { db, Prisma } from "#lib/base/db.ts";
import type { PostFilters } from "./filter-schema.ts";
import { type ReadAddress, readAddress } from "./read-address.ts";

const SCHEME = /^(?:https?:\/\/|acct:|@)+/i;

/** Reads a search that is a web address or an account such as `@user@host`; null for words. */
export function searchedAddress(q: string | undefined): ReadAddress | null {
  const text = q?.trim() ?? "";
  if (!SCHEME.test(text)) return null;
  const address = readAddress(text);
  return address.posts.length === 0 && address.author === null ? null : address;
}

/**
 * SQL of the ids of posts that are stored under an address, or else of its author's posts. Looks into each index
 * (post_uri_key, post_url_idx) by itself; with OR the planner would read the table.
 */
export function addressedPosts({ posts, author }: ReadAddress): Prisma.Sql {
  return Prisma.sql`
    WITH named AS MATERIALIZED (
      SELECT u.id FROM unnest(${posts}::text[]) AS a(address), LATERAL (SELECT id FROM post WHERE uri = a.address) u
      UNION
      SELECT w.id FROM unnest(${posts}::text[]) AS a(address), LATERAL (SELECT id FROM post WHERE url = a.address LIMIT 1) w)
    SELECT id FROM named
    UNION ALL
    SELECT id FROM post WHERE author_key = ${author} AND NOT EXISTS (SELECT FROM named)`;
}

/**
 * The filters with a search that leads somewhere: a link or an account without a stored post is searched as words, which
 * finds posts that share the link or mention the account.
 */
export async function resolveAddress<Filters extends PostFilters>(filters: Filters): Promise<Filters> {
  const address = searchedAddress(filters.q);
  if (address === null) return filters;
  const known = await db.$queryRaw<object[]>`SELECT FROM (${addressedPosts(address)}) a LIMIT 1`;
  return known.length > 0 ? filters : { ...filters, q: filters.q?.trim().replace(SCHEME, "") };
}
