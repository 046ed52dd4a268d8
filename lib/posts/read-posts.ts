import type { Tx } from "#lib/db.ts";
import type { PostWithSwitches } from "./sql.ts";
import { readRows } from "./sql.ts";

/** Posts by id with what a serialiser needs, for other domains; what does not exist is left out. */
export async function readPosts(tx: Tx, ids: number[]): Promise<Map<number, PostWithSwitches>> {
  const rows = await readRows(tx, [...new Set(ids)]);
  return new Map(rows.map((row) => [row.id, row]));
}
