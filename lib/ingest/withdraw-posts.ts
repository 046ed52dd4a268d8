import { servicePrincipal } from "#lib/auth/principal.ts";
import type { Tx } from "#lib/db.ts";
import { setHoldOfPosts } from "#lib/queue/queue-entries.ts";
import { rejectPosts } from "#lib/review/decide-posts.ts";

/** A post that a consumer holds is held once it returns; deleted posts stay. */
export async function withdrawPosts(tx: Tx, ids: number[], reason: "gone" | "withdrawn"): Promise<void> {
  if (ids.length === 0) return;
  const rejected = await rejectPosts(tx, servicePrincipal, ids, { reason, source: "filter" });
  const rest = ids.filter((id) => !rejected.includes(id));
  if (rest.length > 0) await setHoldOfPosts(tx, rest, "unverifiable", true);
}
