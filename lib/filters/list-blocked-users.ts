import { db } from "#lib/db.ts";
import { MAX_ID } from "#lib/http/fields.ts";
import { MOST_LISTED, type BlockedUser, type BlockListQuery } from "./schema.ts";
import { serializeBlockedUser } from "./serialize.ts";
import { countUserMatches, type BlockedUserRow } from "./sql.ts";

/** Blocked users in order of id, with what each matches, and how many there are in all. */
export async function listBlockedUsers(
  page: BlockListQuery,
): Promise<{ items: BlockedUser[]; total: number }> {
  const [rows, total] = await Promise.all([
    db.blocked_user.findMany({
      orderBy: { id: "asc" },
      skip: Math.min(page.skip ?? 0, MAX_ID),
      take: page.limit ?? MOST_LISTED,
    }),
    db.blocked_user.count(),
  ]);
  const matches = await countUserMatches(rows.map((row) => row.id));
  const items = rows.map((row) => serializeBlockedUser(row as BlockedUserRow, matches.get(row.id) ?? 0));
  return { items, total };
}
