import { db, type Tx } from "#lib/base/db.ts";
import { servicePrincipal } from "#lib/base/http/principal.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import { setHoldOfPosts } from "#lib/queue/queue-entries.ts";
import { rejectPosts } from "#lib/review/decide.ts";
import { erasePosts } from "#lib/review/delete-post.ts";
import type { AutoRejectReason } from "#lib/review/post-row.ts";
import { returnedErasedIds } from "./ingest-sql.ts";

export type Withdrawal = Extract<AutoRejectReason, "gone" | "withdrawn">;

/** A consumer may report an error after its post was erased, so texts are removed again. */
export async function rejectReturnedErased(): Promise<void> {
  const ids = await returnedErasedIds(db);
  if (ids.length > 0) await inTransaction((tx) => withdrawPosts(tx, ids, "gone"));
}

/**
 * Rejects the posts and erases their content at once. A post that a consumer has is held when it returns; a delivered
 * one keeps its record until the cleanup.
 */
export async function withdrawPosts(tx: Tx, ids: number[], reason: Withdrawal): Promise<void> {
  if (ids.length === 0) return;
  const rejected = await rejectPosts(tx, servicePrincipal, ids, { reason });
  const rest = ids.filter((id) => !rejected.includes(id));
  if (rest.length > 0) await setHoldOfPosts(tx, rest, "unverifiable", true);
  await erasePosts(tx, ids);
}
