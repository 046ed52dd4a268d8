import type { Tx } from "#lib/db.ts";
import type { LookAgainOutcome } from "#lib/fediverse/look-again.ts";
import { setHoldOfPosts } from "#lib/queue/queue-entries.ts";
import { ingestKnown, type KnownResult } from "./ingest-known.ts";
import { lockKnown, noteMissing, notePresent } from "./sql.ts";
import { withdrawPosts } from "./withdraw-posts.ts";

/**
 * Gone (410, or 404 twice at least ten minutes apart) and withdrawn posts are rejected; unreadable ones are
 * held.
 */
export async function applyLook(tx: Tx, uri: string, outcome: LookAgainOutcome): Promise<KnownResult> {
  const nothing: KnownResult = { updated: 0, to_classify: [], opted_out: [] };
  const [row] = await lockKnown(tx, [uri]);
  if (row === undefined) return nothing;
  switch (outcome.kind) {
    case "seen":
      // `id: 0`: the post's own rules apply.
      return ingestKnown(tx, { id: 0, consent_policy: "moderate", consent_list: [] }, [
        { row, post: outcome.post },
      ]);
    case "present":
      // Content is not shown, so an open difference stays open.
      await notePresent(tx, row.id);
      await setHoldOfPosts(tx, [row.id], "unverifiable", false);
      return nothing;
    case "gone":
    case "withdrawn":
      await withdrawPosts(tx, [row.id], outcome.kind);
      return nothing;
    case "missing":
      if (await noteMissing(tx, row.id)) await withdrawPosts(tx, [row.id], "gone");
      else await setHoldOfPosts(tx, [row.id], "unverifiable", true);
      return nothing;
    case "unverifiable":
      await setHoldOfPosts(tx, [row.id], "unverifiable", true);
      return nothing;
  }
}
