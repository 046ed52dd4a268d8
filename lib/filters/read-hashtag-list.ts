import { foldHashtag, normaliseHashtag } from "#lib/fediverse/hashtag.ts";
import { readCsvCell } from "#lib/http/csv.ts";
import { parseCsv } from "./parse-csv.ts";
import { readExport } from "./read-export.ts";
import { unreadable, type ReadList } from "./read-user-list.ts";

export interface HashtagEntry {
  hashtag: string;
  hashtag_folded: string;
  notes: string | null;
}

/**
 * Reads a list of hashtags: one a line, with or without `#`, notes behind a comma; or this service's own exports. The
 * same hashtag in another spelling counts once.
 */
export function readHashtagList(text: string): ReadList<HashtagEntry> {
  const exported = readExport(text, "blocked_hashtags", ["hashtag", "notes"]);
  const records = exported ?? parseCsv(text);
  const hasHeader =
    exported === null && records[0]?.cells[0]?.trim() === "hashtag" && records[0].cells.length > 1;
  const list: ReadList<HashtagEntry> = { entries: [], ignored: 0, unreadable: [] };
  const known = new Set<string>();
  for (const record of hasHeader ? records.slice(1) : records) {
    const [first = "", second = ""] = record.cells;
    const hashtag = normaliseHashtag(readCsvCell(first.trim()));
    if (hashtag === null) {
      list.unreadable.push(unreadable(record, "is not a hashtag"));
      continue;
    }
    const hashtag_folded = foldHashtag(hashtag);
    if (known.has(hashtag_folded)) continue;
    known.add(hashtag_folded);
    list.entries.push({ hashtag, hashtag_folded, notes: readCsvCell(second.trim()).slice(0, 2000) || null });
  }
  return list;
}
