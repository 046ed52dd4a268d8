import { db } from "#lib/base/db.ts";
import { csvLine } from "#lib/base/http/csv.ts";
import type { StoredPatternType } from "./schema.ts";

/*
 * Blocked users in the forms that Mastodon imports. A form has one type of pattern; notes stay here, because Mastodon
 * shows the comment of a domain block to everybody.
 */

const forms = {
  /** Of the administration; the personal import of blocked domains reads its first column. */
  domains: {
    type: "domain",
    header: ["#domain", "#severity", "#reject_media", "#reject_reports", "#public_comment", "#obfuscate"],
    rest: ["suspend", false, false, "", false],
  },
  /** Without a header, as Mastodon writes it: with one it looks like a list of followers. */
  accounts: { type: "exact", header: null, rest: [] },
} as const satisfies Record<
  string,
  { type: StoredPatternType; header: readonly string[] | null; rest: readonly (string | boolean)[] }
>;

export async function* mastodonCsv(form: keyof typeof forms): AsyncGenerator<string, void> {
  const { type, header, rest } = forms[form];
  if (header !== null) yield csvLine([...header]);
  const rows = await db.blocked_user.findMany({ where: { pattern_type: type }, orderBy: { id: "asc" } });
  yield rows.map(({ account_identifier }) => csvLine([account_identifier, ...rest])).join("");
}
