import { db, Prisma } from "#lib/db.ts";

export interface FoundPost {
  id: number;
  author_account: string;
  author_key: string;
  snippet: string;
  emojis: unknown;
}

/** Two walks through one index each (post_uri_key, post_url_idx); as one OR the planner would read the table. */
export function postStatement(addresses: string[]): Prisma.Sql {
  return Prisma.sql`
    SELECT p.id, p.author_account, p.author_key, p.snippet, p.emojis FROM (
      SELECT u.id FROM unnest(${addresses}::text[]) AS a(address), LATERAL (SELECT id FROM post WHERE uri = a.address) u
      UNION
      SELECT w.id FROM unnest(${addresses}::text[]) AS a(address), LATERAL (SELECT id FROM post WHERE url = a.address LIMIT 1) w
    ) found JOIN post p ON p.id = found.id
     ORDER BY p.id LIMIT 1`;
}

/** The post stored under one of these addresses; of several the one that came first. */
export async function postByAddress(addresses: string[]): Promise<FoundPost | null> {
  const rows = await db.$queryRaw<FoundPost[]>(postStatement(addresses));
  return rows[0] ?? null;
}

/** How an author was called last; null when no post of theirs is stored. Serves from post_author_idx. */
export async function latestAuthor(
  key: string,
): Promise<{ author_account: string; author_display_name: string | null } | null> {
  return db.post.findFirst({
    where: { author_key: key },
    orderBy: [{ created_at: "desc" }, { id: "desc" }],
    select: { author_account: true, author_display_name: true },
  });
}
