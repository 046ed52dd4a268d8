import { toIso } from "#lib/clock.ts";
import { db } from "#lib/db.ts";
import { csvLine } from "#lib/http/csv.ts";

const AT_ONCE = 1_000;

/** The list of blocked users as a CSV that `importBlockedUsers` reads. */
export function exportBlockedUsers(): AsyncGenerator<string, void> {
  return exportList(["account_identifier", "pattern_type", "notes", "created_at"], async (after) =>
    (
      await db.blocked_user.findMany({ where: { id: { gt: after } }, orderBy: { id: "asc" }, take: AT_ONCE })
    ).map((row) => ({
      id: row.id,
      cells: [row.account_identifier, row.pattern_type, row.notes, toIso(row.created_at)],
    })),
  );
}

/** The list of blocked hashtags as a CSV that `importBlockedHashtags` reads. */
export function exportBlockedHashtags(): AsyncGenerator<string, void> {
  return exportList(["hashtag", "notes", "created_at"], async (after) =>
    (
      await db.blocked_hashtag.findMany({
        where: { id: { gt: after } },
        orderBy: { id: "asc" },
        take: AT_ONCE,
      })
    ).map((row) => ({ id: row.id, cells: [row.hashtag, row.notes, toIso(row.created_at)] })),
  );
}

async function* exportList(
  header: string[],
  page: (after: number) => Promise<{ id: number; cells: (string | null)[] }[]>,
): AsyncGenerator<string, void> {
  yield csvLine(header);
  for (let after = 0; ;) {
    const rows = await page(after);
    if (rows.length > 0) yield rows.map((row) => csvLine(row.cells)).join("");
    if (rows.length < AT_ONCE) return;
    after = rows.at(-1)?.id ?? after;
  }
}
