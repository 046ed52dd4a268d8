import { allowedStreams, type Actor } from "#lib/auth/principal.ts";
import type { Tx } from "#lib/db.ts";

/** The posts among `ids` that an actor must not change: the API key is bound to other streams. */
export async function postsOfOtherStreams(tx: Tx, actor: Actor, ids: number[]): Promise<number[]> {
  const streams = allowedStreams(actor);
  if (streams === null || ids.length === 0) return [];
  const rows = await tx.post.findMany({
    where: { id: { in: ids }, OR: [{ stream_id: null }, { stream_id: { notIn: streams } }] },
    select: { id: true },
  });
  return rows.map((row) => row.id);
}
