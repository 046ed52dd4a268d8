import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { changeLists } from "./change-lists.ts";
import { readUserList } from "./read-user-list.ts";
import type { UserImportResult } from "./schema.ts";
import type { BlockChange } from "./changes-sql.ts";
import { insertBlockedUsers, type UserPattern } from "./sql.ts";

/** From so many open patterns on, one walk that judges every author is cheaper than a walk for each. */
const WALKS = 8;

/**
 * Puts what is new in this text on the list of blocked users, all or nothing, as one change with one line in the audit
 * log. What is on the list already stays as it is.
 */
export async function importBlockedUsers(actor: Actor, text: string): Promise<UserImportResult> {
  const { entries, ignored, unreadable } = readUserList(text);
  const added = await changeLists(async (tx) => {
    const rows = entries.length === 0 ? [] : await insertBlockedUsers(tx, entries);
    if (rows.length > 0) {
      await recordAudit(tx, actor, {
        action: "blocked_user.import",
        subject: `${rows.length} patterns`,
        after: { added: rows.length, existing: entries.length - rows.length },
      });
    }
    return { result: rows, concerns: concernsOf(rows) };
  });
  return {
    dry_run: false,
    added: added.length,
    existing: entries.length - added.length,
    ignored,
    unreadable,
    entries: added.map(({ account_identifier, pattern_type, notes }) => ({
      account_identifier,
      pattern_type,
      notes,
    })),
  };
}

/** What of the queue many patterns concern: accounts are found by index together, open patterns one by one. */
export function concernsOf(
  patterns: Pick<UserPattern, "account_identifier" | "pattern_type">[],
): BlockChange[] {
  const exact = patterns
    .filter((each) => each.pattern_type === "exact")
    .map((each) => each.account_identifier);
  const open = patterns.filter((each) => each.pattern_type !== "exact");
  if (open.length > WALKS) return [{ kind: "user", pattern_type: "any", patterns: [] }];
  return [
    ...(exact.length > 0 ? [{ kind: "user" as const, pattern_type: "exact" as const, patterns: exact }] : []),
    ...open.map(({ pattern_type, account_identifier }) => ({
      kind: "user" as const,
      pattern_type,
      patterns: [account_identifier],
    })),
  ];
}
