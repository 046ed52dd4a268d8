import { readUserList } from "./read-user-list.ts";
import type { UserImportResult } from "./schema.ts";
import { listedUserPatterns } from "./sql.ts";

/** What importing this text would put on the list of blocked users; changes nothing. */
export async function previewUserImport(text: string): Promise<UserImportResult> {
  const { entries, ignored, unreadable } = readUserList(text);
  const listed = await listedUserPatterns(entries);
  const fresh = entries.filter((entry) => !listed.has(`${entry.pattern_type} ${entry.account_identifier}`));
  return {
    dry_run: true,
    added: fresh.length,
    existing: entries.length - fresh.length,
    ignored,
    unreadable,
    entries: fresh,
  };
}
