import type { Actor } from "#lib/auth/principal.ts";
import { inTransaction } from "#lib/transaction.ts";
import { rejectPosts } from "./reject-posts.ts";
import { unreviewedOfBlockedUsers, unreviewedWithBlockedHashtags } from "#lib/filters/blocked-posts-sql.ts";

/** Posts locked and written at once; reviewers work at the same time. */
const AT_ONCE = 500;

/**
 * Rejects what is unreviewed and blocked now, by either list and whatever the switches of auto-rejection say
 * (contract §6). Whatever a reviewer decides meanwhile stands.
 * @returns how many posts were rejected
 */
export async function rejectBlocked(actor: Actor): Promise<number> {
  const ofUsers = await rejectAll(actor, await unreviewedOfBlockedUsers(), "blocked_user");
  return ofUsers + (await rejectAll(actor, await unreviewedWithBlockedHashtags(), "blocked_hashtag"));
}

async function rejectAll(actor: Actor, ids: number[], reason: string): Promise<number> {
  let rejected = 0;
  for (let i = 0; i < ids.length; i += AT_ONCE) {
    const some = ids.slice(i, i + AT_ONCE);
    const changed = await inTransaction((tx) =>
      rejectPosts(tx, actor, some, { reason, source: "filter", only: ["unreviewed"] }),
    );
    rejected += changed.length;
  }
  return rejected;
}
