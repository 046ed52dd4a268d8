import type { Tx } from "#lib/db.ts";
import type { SourceOutcome } from "#lib/fediverse/fetch-post-at-source.ts";
import { setHoldOfPosts } from "#lib/queue/queue-entries.ts";
import { ingestKnown, mayCopyConfirm, type KnownResult } from "./ingest-known.ts";
import { markSourceChecked, markSourceMissing, putOffCheck } from "./source-check-sql.ts";
import { lockKnown, type KnownRow } from "./sql.ts";
import { withdrawPosts } from "./withdraw-posts.ts";

/**
 * Gone (410, or 404 twice at least ten minutes apart) and withdrawn posts are rejected; unreadable ones are
 * held and asked for again later.
 */
export async function applySourceCheck(tx: Tx, uri: string, outcome: SourceOutcome): Promise<KnownResult> {
  const nothing: KnownResult = { updated: 0, to_classify: [], opted_out: [] };
  const [row] = await lockKnown(tx, [uri]);
  if (row === undefined) return nothing;
  await markSourceChecked(tx, row.id);
  // Without content it can only be rejected.
  if (row.erased && outcome.kind !== "withdrawn") {
    await withdraw(tx, row, "gone");
    return nothing;
  }
  switch (outcome.kind) {
    case "seen": {
      if (outcome.instead !== undefined && !mayCopyConfirm(row, outcome.post)) {
        await holdUnverifiable(tx, row.id, null);
        return nothing;
      }
      const seen = { row: { ...row, confirmation_is_old: true }, post: outcome.post };
      // `id: 0`: the post's own rules apply.
      return ingestKnown(tx, { id: 0, consent_policy: "moderate", consent_list: [] }, [
        outcome.instead === undefined ? seen : { ...seen, instead: outcome.instead },
      ]);
    }
    case "gone":
    case "withdrawn":
      await withdraw(tx, row, outcome.kind);
      return nothing;
    case "missing":
      if (await markSourceMissing(tx, row.id)) await withdraw(tx, row, "gone");
      else {
        await setHoldOfPosts(tx, [row.id], "unverifiable", true);
        await putOffCheck(tx, row.id, { minutes: 10 });
      }
      return nothing;
    case "unverifiable":
      await holdUnverifiable(tx, row.id, outcome.retry_at);
      return nothing;
  }
}

async function holdUnverifiable(tx: Tx, id: number, notBefore: Date | null): Promise<void> {
  await setHoldOfPosts(tx, [id], "unverifiable", true);
  await putOffCheck(tx, id, { not_before: notBefore });
}

/** A post that a consumer has is rejected after it returns. */
async function withdraw(tx: Tx, row: KnownRow, reason: "gone" | "withdrawn"): Promise<void> {
  await withdrawPosts(tx, [row.id], reason);
  if (row.queue_state === "reserved") await putOffCheck(tx, row.id, { minutes: 10 });
  else await tx.source_check.deleteMany({ where: { post_id: row.id } });
}
