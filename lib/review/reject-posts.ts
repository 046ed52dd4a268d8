import type { Actor } from "#lib/auth/principal.ts";
import type { Tx } from "#lib/db.ts";
import { decidePosts } from "./decide-posts.ts";
import type { ReviewState } from "./state.ts";

/**
 * Rejects posts in the caller's transaction, by a rule (`source: "filter"`: the reason stands on the post as
 * `auto_reject_reason`) or by hand. What a consumer holds or has had is left as it is.
 * @param options.only states to touch; without it all that the state table allows to be rejected
 * @returns ids of the posts that were rejected
 */
export async function rejectPosts(
  tx: Tx,
  actor: Actor,
  ids: number[],
  options: { reason: string; source?: "filter"; only?: readonly ReviewState[] },
): Promise<number[]> {
  const { reason, source, only } = options;
  const { changed } = await decidePosts(tx, actor, ids, false, {
    note: reason,
    ...(source === "filter" ? { source, action: "auto_reject", auto_reject_reason: reason } : {}),
    ...(only ? { only: (_post, state) => only.includes(state) } : {}),
  });
  return changed.map((post) => post.id);
}
