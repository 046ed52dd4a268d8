import { Prisma, type Tx } from "#lib/db.ts";
import { holdBits, type Hold } from "./holds.ts";
import { setHoldRows } from "./sql.ts";

/**
 * Holds or frees entries by post, for reasons other than the block lists. A reserved post stays with its
 * consumer; the hold acts when it comes back. Answers how many entries changed.
 */
export function setHoldOfPosts(tx: Tx, postIds: number[], hold: Hold, held: boolean): Promise<number> {
  return setHoldRows(tx, Prisma.sql`post_id = ANY (${postIds}::int[])`, holdBits[hold], held);
}
