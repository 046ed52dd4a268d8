import { db } from "#lib/db.ts";
import { csvLine } from "#lib/http/csv.ts";
import type { StoredPatternType } from "./schema.ts";

/*
 * Blocked users in the forms that Mastodon imports. A form has one type of pattern; notes stay here, because Mastodon
 * shows the comment of a domain block to everybody.
 */

export const mastodonForms = ["domains", "accounts"] as const;
export type MastodonForm = (typeof mastodonForms)[number];

const forms: Record<
  MastodonForm,
  { type: StoredPatternType; header: string[] | null; rest: (string | boolean)[] }
> = {
  /** Of the administration; the personal import of blocked domains reads its first column. */
  domains: {
    type: "domain",
    header: ["#domain", "#severity", "#reject_media", "#reject_reports", "#public_comment", "#obfuscate"],
    rest: ["suspend", false, false, "", false],
  },
  /** Without a header, as Mastodon writes it: with one it looks like a list of followers. */
  accounts: { type: "exact", header: null, rest: [] },
};

/** @returns the file, its entries, and the number of entries that this form cannot hold */
export async function exportForMastodon(
  form: MastodonForm,
): Promise<{ csv: string; entries: number; left_out: number }> {
  const { type, header, rest } = forms[form];
  const rows = await db.blocked_user.findMany({ orderBy: { id: "asc" } });
  const fitting = rows.filter(({ pattern_type }) => pattern_type === type);
  const lines = fitting.map(({ account_identifier }) => csvLine([account_identifier, ...rest]));
  return {
    csv: [...(header === null ? [] : [csvLine(header)]), ...lines].join(""),
    entries: fitting.length,
    left_out: rows.length - fitting.length,
  };
}

/** The lines of `exportForMastodon`. */
export async function* mastodonCsv(form: MastodonForm): AsyncGenerator<string, void> {
  yield (await exportForMastodon(form)).csv;
}
