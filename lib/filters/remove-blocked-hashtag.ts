import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { ApiError } from "#lib/errors.ts";
import { changeLists } from "./change-lists.ts";
import { deleteBlockedHashtag } from "./sql.ts";

/**
 * Takes a hashtag off the list; waiting posts without another blocked hashtag can be handed out again. What was
 * auto-rejected stays rejected.
 * @throws ApiError `blocked_hashtag_not_found`
 */
export async function removeBlockedHashtag(actor: Actor, id: number): Promise<void> {
  await changeLists(async (tx) => {
    const row = await deleteBlockedHashtag(tx, id);
    if (row === null) throw new ApiError("blocked_hashtag_not_found");
    await recordAudit(tx, actor, {
      action: "blocked_hashtag.delete",
      subject: `#${row.hashtag}`,
      before: { hashtag: row.hashtag, notes: row.notes },
    });
    return {
      result: undefined,
      concerns: [{ kind: "hashtag", pattern_type: "exact", patterns: [row.hashtag_folded] }],
    };
  });
}
