import type { Tx } from "#lib/db.ts";
import { forgetAuthorRows } from "./overview-sql.ts";

/**
 * Takes authors' names out of the figures, for those who do not want to be here. Their posts stay counted, as nobody's.
 * @param authorKeys `user@host` in lower case
 */
export async function forgetAuthorFigures(tx: Tx, authorKeys: readonly string[]): Promise<void> {
  if (authorKeys.length > 0) await forgetAuthorRows(tx, [...authorKeys]);
}
