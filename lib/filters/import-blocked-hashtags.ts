import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { changeLists } from "./change-lists.ts";
import { readHashtagList } from "./read-hashtag-list.ts";
import type { HashtagImportResult } from "./schema.ts";
import { insertBlockedHashtags } from "./sql.ts";

/**
 * Puts what is new in this text on the list of blocked hashtags, all or nothing, as one change with one line in the
 * audit log.
 */
export async function importBlockedHashtags(actor: Actor, text: string): Promise<HashtagImportResult> {
  const { entries, ignored, unreadable } = readHashtagList(text);
  const added = await changeLists(async (tx) => {
    const rows = entries.length === 0 ? [] : await insertBlockedHashtags(tx, entries);
    if (rows.length === 0) return { result: rows, concerns: [] };
    await recordAudit(tx, actor, {
      action: "blocked_hashtag.import",
      subject: `${rows.length} hashtags`,
      after: { added: rows.length, existing: entries.length - rows.length },
    });
    const patterns = rows.map((row) => row.hashtag_folded);
    return { result: rows, concerns: [{ kind: "hashtag", pattern_type: "exact", patterns }] };
  });
  return {
    dry_run: false,
    added: added.length,
    existing: entries.length - added.length,
    ignored,
    unreadable,
    entries: added.map(({ hashtag, notes }) => ({ hashtag, notes })),
  };
}
