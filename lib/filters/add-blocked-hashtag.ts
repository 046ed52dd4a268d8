import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { foldHashtag } from "#lib/fediverse/hashtag.ts";
import { ApiError } from "#lib/errors.ts";
import { changeLists } from "./change-lists.ts";
import type { BlockedHashtag, BlockedHashtagCreate } from "./schema.ts";
import { serializeBlockedHashtag } from "./serialize.ts";
import { countHashtagMatches, insertBlockedHashtags } from "./sql.ts";

/**
 * Blocks a hashtag, however it is written: new posts are auto-rejected (if that is switched on), waiting ones are
 * held.
 * @throws ApiError `hashtag_blocked_already`
 */
export async function addBlockedHashtag(actor: Actor, body: BlockedHashtagCreate): Promise<BlockedHashtag> {
  const { hashtag, notes = null } = body;
  const hashtag_folded = foldHashtag(hashtag);
  const row = await changeLists(async (tx) => {
    const [inserted] = await insertBlockedHashtags(tx, [{ hashtag, hashtag_folded, notes }]);
    if (inserted === undefined) throw new ApiError("hashtag_blocked_already");
    await recordAudit(tx, actor, {
      action: "blocked_hashtag.create",
      subject: `#${hashtag}`,
      after: { hashtag, notes },
    });
    return {
      result: inserted,
      concerns: [{ kind: "hashtag", pattern_type: "exact", patterns: [hashtag_folded] }],
    };
  });
  return serializeBlockedHashtag(row, (await countHashtagMatches([row.id])).get(row.id) ?? 0);
}
