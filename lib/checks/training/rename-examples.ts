import type { Tx } from "#lib/db.ts";
import type { HandleChange } from "#lib/hosts/handle-changes.ts";
import { renameExampleRows } from "./examples-sql.ts";

/**
 * Examples of deleted posts too, so that a later refusal of the author finds them.
 *
 * @param authors new handles, `user@host`
 */
export async function renameExamples(
  tx: Tx,
  authors: readonly string[],
  change: HandleChange,
): Promise<void> {
  const handles = authors.map((after) => ({
    before: after.slice(0, after.length - change.after.length) + change.before,
    after,
  }));
  await renameExampleRows(tx, handles);
}
