import type { Tx } from "#lib/db.ts";
import { errorPostRows } from "./sql.ts";

/** Posts that failed for this reason, oldest error first, at most `limit`. */
export async function listErrorPosts(tx: Tx, reason: string, limit: number): Promise<number[]> {
  return errorPostRows(tx, reason, limit);
}
