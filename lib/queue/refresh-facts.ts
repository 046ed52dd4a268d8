import type { Tx } from "#lib/db.ts";
import { refreshFactRows } from "./sql.ts";

/** After posts were edited or refreshed: media, bot flag, hashtags and block holds of their entries follow. */
export async function refreshFacts(tx: Tx, postIds: number[]): Promise<void> {
  if (postIds.length > 0) await refreshFactRows(tx, postIds);
}
