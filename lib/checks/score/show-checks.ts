import { db } from "#lib/base/db.ts";
import { readCheckSettings } from "#lib/checks/settings/check-settings.ts";
import { judge } from "#lib/checks/verdict/judge.ts";
import { rawRows } from "#lib/checks/verdict/sql.ts";
import type { Checks } from "./schema.ts";

/** The results of the checks of a post, with the present thresholds and votes; none before the first check. */
export async function showChecks(postId: number): Promise<Checks> {
  const [raw] = await rawRows(db, [postId]);
  if (!raw) return { checks: [], picture_scores: [] };
  return {
    checks: judge(raw, await readCheckSettings()).checks,
    picture_scores: raw.pictures.map(({ source: _source, ...picture }) => picture),
  };
}
