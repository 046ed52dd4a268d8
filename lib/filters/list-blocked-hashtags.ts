import { db } from "#lib/db.ts";
import { MAX_ID } from "#lib/http/fields.ts";
import { MOST_LISTED, type BlockedHashtag, type BlockListQuery } from "./schema.ts";
import { serializeBlockedHashtag } from "./serialize.ts";
import { countHashtagMatches } from "./sql.ts";

/** Blocked hashtags in order of id, with what each matches, and how many there are in all. */
export async function listBlockedHashtags(
  page: BlockListQuery,
): Promise<{ items: BlockedHashtag[]; total: number }> {
  const [rows, total] = await Promise.all([
    db.blocked_hashtag.findMany({
      orderBy: { id: "asc" },
      skip: Math.min(page.skip ?? 0, MAX_ID),
      take: page.limit ?? MOST_LISTED,
    }),
    db.blocked_hashtag.count(),
  ]);
  const matches = await countHashtagMatches(rows.map((row) => row.id));
  const items = rows.map((row) => serializeBlockedHashtag(row, matches.get(row.id) ?? 0));
  return { items, total };
}
