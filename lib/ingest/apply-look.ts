import type { Tx } from "#lib/db.ts";
import type { LookAgainOutcome } from "#lib/fediverse/look-again.ts";
import { setHoldOfPosts } from "#lib/queue/queue-entries.ts";
import { ingestKnown, type KnownResult } from "./ingest-known.ts";
import { lockKnown, noteMissing, notePresent } from "./sql.ts";
import { withdrawPosts } from "./withdraw-posts.ts";

/**
 * What a look at a post's home means for it (docs/fediverse.md#posts-looked-at-again): words and consent are judged as when it is
 * seen on a timeline; gone (410, or 404 twice at least ten minutes apart) and withdrawn are rejected; what cannot
 * be read is held and free again as soon as it can. In the caller's transaction.
 */
export async function applyLook(tx: Tx, uri: string, outcome: LookAgainOutcome): Promise<KnownResult> {
  const nothing: KnownResult = { updated: 0, to_classify: [], opted_out: [] };
  const [row] = await lockKnown(tx, [uri]);
  if (row === undefined) return nothing;
  switch (outcome.kind) {
    case "seen":
      // No stream brought it now: it is judged by the rules it was taken in by.
      return ingestKnown(tx, { id: 0, consent_policy: "moderate", consent_list: [] }, [
        { row, post: outcome.post },
      ]);
    case "present":
      // Public, but its words are not shown to us: an open difference stays open.
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
