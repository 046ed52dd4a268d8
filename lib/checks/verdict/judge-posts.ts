import { hash as digest } from "node:crypto";
import { mapInSlices } from "#lib/base/event-loop.ts";
import { inTransaction } from "#lib/base/transaction.ts";
import type { CheckSettings } from "#lib/checks/results/check-names.ts";
import { isOver, type Verdict } from "#lib/checks/results/opinion.ts";
import { readCheckSettings } from "#lib/checks/settings/check-settings.ts";
import { judge } from "./judge.ts";
import {
  lockCheckedIds,
  rawRows,
  writeVerdictHashes,
  writeVerdictRows,
  type RawRow,
  type VerdictRow,
} from "./sql.ts";

const BATCH = 500;

/**
 * Computes verdicts again from the stored results, without running a check. Call after results were written and
 * committed.
 *
 * @param ids posts whose text was not checked yet, and erased ones, are left out
 * @returns number of changed verdicts
 */
export async function judgePosts(ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0;
  const settings = await readCheckSettings();
  let changed = 0;
  for (let from = 0; from < ids.length; from += BATCH) {
    const some = ids.slice(from, from + BATCH);
    changed += await inTransaction(async (tx) => {
      const rows = await changedVerdicts(await rawRows(tx, await lockCheckedIds(tx, some)), settings);
      if (rows.length === 0) return 0;
      await writeVerdictRows(tx, rows);
      await writeVerdictHashes(tx, rows);
      return rows.length;
    });
  }
  return changed;
}

/** Those that differ from the stored ones. */
export async function changedVerdicts(
  rows: readonly RawRow[],
  settings: CheckSettings,
): Promise<VerdictRow[]> {
  const verdicts = await mapInSlices(rows, ({ id, verdict_hash: stored, ...raw }) => {
    const verdict = judge(raw, settings);
    return { id, verdict, hash: hashVerdict(verdict), stored };
  });
  return verdicts.filter(({ hash, stored }) => hash !== stored);
}

/**
 * Without thresholds, and without the vote of a check that does not flag the post: a changed setting is written only to
 * posts that it concerns. `getScore` shows the present ones.
 */
export function hashVerdict({ checks, ...advice }: Verdict): bigint {
  const lines = checks.map((check) => {
    const { name, version, score, reason, votes } = check;
    return [name, version, score, reason, isOver(check) ? votes : null];
  });
  return digest("sha1", JSON.stringify([advice, lines]), "buffer").readBigInt64BE();
}
