import { toIso } from "#lib/clock.ts";
import { db, Prisma } from "#lib/db.ts";
import { pickEmojis } from "#lib/fediverse/emojis.ts";
import type { Lookup } from "./lookup-schema.ts";
import { readAddress } from "./read-address.ts";

interface FoundPost {
  id: number;
  author_account: string;
  author_key: string;
  snippet: string;
  emojis: unknown;
}

/** The stored post and the author that a pasted address means. */
export async function lookUpAddress(address: string): Promise<Lookup> {
  const { posts, author } = readAddress(address);
  const [post] = posts.length === 0 ? [] : await db.$queryRaw<FoundPost[]>(lookupStatement(posts));
  const key = post?.author_key ?? author;
  const removed = post || posts.length === 0 ? null : await findRemoved(posts);
  return {
    post: post
      ? {
          id: post.id,
          author_account: post.author_account,
          snippet: post.snippet,
          emojis: pickEmojis(post.emojis, [post.snippet]),
        }
      : null,
    author: key === null ? null : await lookUpAuthor(key),
    ...(removed === null ? {} : { removed }),
  };
}

/** For authors who ask. Refused posts are known by URI, deleted ones by its HMAC. */
async function findRemoved(addresses: string[]): Promise<NonNullable<Lookup["removed"]> | null> {
  const [row] = await db.$queryRaw<{ kind: "refused" | "deleted"; reason: string; at: Date }[]>`
    SELECT 'refused' AS kind, rule AS reason, at FROM consent_drop WHERE uri = ANY (${addresses}::text[])
    UNION ALL
    SELECT 'deleted', reason, at FROM tombstone
     WHERE uri_hmac = ANY (ARRAY(SELECT uri_hmac(a) FROM unnest(${addresses}::text[]) a))
    LIMIT 1`;
  return row ? { ...row, at: toIso(row.at) } : null;
}

/** The name in the author's newest post. */
async function lookUpAuthor(key: string): Promise<Lookup["author"]> {
  const known = await db.post.findFirst({
    where: { author_key: key },
    orderBy: [{ created_at: "desc" }, { id: "desc" }],
    select: { author_account: true, author_display_name: true },
  });
  return {
    account: known?.author_account ?? `@${key}`,
    display_name: known?.author_display_name || null,
    known: known !== null,
  };
}

/**
 * The first post stored under one of these addresses. One lookup in each index (post_uri_key, post_url_idx); with OR
 * the planner would read the table.
 */
export function lookupStatement(addresses: string[]): Prisma.Sql {
  return Prisma.sql`
    SELECT p.id, p.author_account, p.author_key, p.snippet, p.emojis FROM (
      SELECT u.id FROM unnest(${addresses}::text[]) AS a(address), LATERAL (SELECT id FROM post WHERE uri = a.address) u
      UNION
      SELECT w.id FROM unnest(${addresses}::text[]) AS a(address), LATERAL (SELECT id FROM post WHERE url = a.address LIMIT 1) w
    ) found JOIN post p ON p.id = found.id
     ORDER BY p.id LIMIT 1`;
}
