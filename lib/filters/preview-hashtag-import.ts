import { readHashtagList } from "./read-hashtag-list.ts";
import type { HashtagImportResult } from "./schema.ts";
import { listedHashtags } from "./sql.ts";

/** What importing this text would put on the list of blocked hashtags; changes nothing. */
export async function previewHashtagImport(text: string): Promise<HashtagImportResult> {
  const { entries, ignored, unreadable } = readHashtagList(text);
  const listed = await listedHashtags(entries.map((entry) => entry.hashtag_folded));
  const fresh = entries.filter((entry) => !listed.has(entry.hashtag_folded));
  return {
    dry_run: true,
    added: fresh.length,
    existing: entries.length - fresh.length,
    ignored,
    unreadable,
    entries: fresh.map(({ hashtag, notes }) => ({ hashtag, notes })),
  };
}
