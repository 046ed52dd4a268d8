import type { Tx } from "#lib/db.ts";
import { servicePrincipal } from "#lib/auth/principal.ts";
import type { NormalisedPost } from "#lib/fediverse/normalised-post.ts";
import { recordEvents } from "#lib/history/record-event.ts";
import { deletePosts } from "#lib/posts/delete-post.ts";
import { buriedUris } from "./sql.ts";
import { derivedAmong, lockDerived, lockForMerge, mergePosts, settleAddress } from "./adopt-address-sql.ts";

/**
 * A post whose uri was derived from its url takes the uri that its server names. If another post has it already, both
 * become one.
 */
export async function adoptAddress(tx: Tx, derived: string, uri: string): Promise<void> {
  const id = await lockDerived(tx, derived);
  if (id === null) return;
  if (derived === uri) return settleAddress(tx, id, uri);
  const other = await tx.post.findUnique({ where: { uri }, select: { id: true } });
  if (other !== null) await merge(tx, id, other.id);
  else if ((await buriedUris(tx, [uri])).length > 0) return deletePosts(tx, [id], "deleted");
  const kept = other === null ? id : await lockDerived(tx, derived);
  if (kept !== null) await settleAddress(tx, kept, uri);
}

/** The one that is further in the queue stays, else the reviewed one, else the older one. */
async function merge(tx: Tx, one: number, other: number): Promise<void> {
  const rows = await lockForMerge(tx, [one, other]);
  const [kept, removed] = [...rows].sort((a, b) => b.rank - a.rank || a.id - b.id);
  if (kept === undefined || removed === undefined) return;
  await mergePosts(tx, removed.id, kept.id);
  await recordEvents(tx, servicePrincipal, [
    { post_id: kept.id, action: "merge", note: `Post ${removed.id} is the same post` },
  ]);
}

/**
 * For posts of a page. The post's own server is believed; another one only about posts that are rejected or delivered, so
 * that it cannot make a post unavailable.
 */
export async function adoptShownAddresses(tx: Tx, posts: readonly NormalisedPost[]): Promise<void> {
  for (const { derived, uri } of await derivedAmong(tx, posts)) await adoptAddress(tx, derived, uri);
}
