import { inTransaction } from "#lib/base/transaction.ts";
import { readCheckSettings } from "#lib/checks/settings/check-settings.ts";
import { judge } from "./judge.ts";
import { lockCheckedIds, rawRows, writeVerdictRows } from "./sql.ts";

const BATCH = 500;

/**
 * Computes verdicts again from the stored results, without running a check. Call after results were written and
 * committed.
 *
 * @param ids posts whose text was not checked yet, and erased ones, are left out
 */
export async function judgePosts(ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const settings = await readCheckSettings();
  for (let from = 0; from < ids.length; from += BATCH) {
    const some = ids.slice(from, from + BATCH);
    await inTransaction(async (tx) => {
      const rows = await rawRows(tx, await lockCheckedIds(tx, some));
      await writeVerdictRows(
        tx,
        rows.map(({ id, ...raw }) => ({ id, verdict: judge(raw, settings) })),
      );
    });
  }
}
