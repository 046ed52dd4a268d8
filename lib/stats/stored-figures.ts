import type { Tx } from "#lib/db.ts";
import { compactRows } from "./sql.ts";

const BATCH = 20_000;

/** Compacts until few deltas are left or the deadline has passed. Concurrent calls run one after the other. */
export async function compactFigures(deadline: Date): Promise<{ compacted: number }> {
  let compacted = 0;
  for (;;) {
    const n = await compactRows(BATCH);
    compacted += n;
    if (n < BATCH || Date.now() >= deadline.getTime()) return { compacted };
  }
}

/**
 * For opt-outs: the posts stay counted without an author.
 *
 * @param authorKeys `user@host` in lower case
 */
export async function forgetAuthorFigures(tx: Tx, authorKeys: readonly string[]): Promise<void> {
  if (authorKeys.length === 0) return;
  await tx.$executeRaw`
    WITH deleted AS (DELETE FROM stat_author WHERE author_key = ANY (${authorKeys}::text[]))
    UPDATE stat_delta SET author_key = NULL WHERE author_key = ANY (${authorKeys}::text[])`;
}
