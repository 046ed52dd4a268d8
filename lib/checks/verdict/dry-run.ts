import { isCheckName } from "#lib/checks/results/check-names.ts";
import { changed, storedOf } from "#lib/checks/settings/change-check-settings.ts";
import {
  combineSettings,
  readStoredSettings,
  type StoredSettings,
} from "#lib/checks/settings/check-settings.ts";
import type { DryRun, DryRunRequest } from "#lib/checks/settings/schema.ts";
import { db } from "#lib/db.ts";
import { validationError } from "#lib/errors.ts";
import { mapInSlices } from "#lib/event-loop.ts";
import { judge } from "./judge.ts";
import { recentRawRows } from "./sql.ts";

const MAX_POSTS = 20_000;
const BATCH = 1000;

/**
 * Judges the posts of the last 30 days from their stored results, with the present settings and with a change. Runs no
 * check and changes nothing.
 *
 * @throws ApiError 422 for an unknown name, and for a field that the check or rule does not have
 */
export async function dryRun(request: DryRunRequest): Promise<DryRun> {
  const stored = await readStoredSettings(db);
  const present = combineSettings(stored);
  const wanted = combineSettings(withChange(stored, request, present.rules.get(request.name)));
  const counts = { before: none(), after: none(), added: none(), removed: none() };
  let posts = 0;
  let rows: Awaited<ReturnType<typeof recentRawRows>> = [];
  do {
    rows = await recentRawRows(rows.at(-1)?.id ?? null, BATCH);
    await mapInSlices(rows, ({ approved, ...raw }) => {
      const [before, after] = [judge(raw, present).would_reject, judge(raw, wanted).would_reject];
      const flagged = { before, after, added: after && !before, removed: before && !after };
      const state = approved === null ? "unreviewed" : approved ? "approved" : "rejected";
      for (const key of ["before", "after", "added", "removed"] as const) {
        counts[key].posts += Number(flagged[key]);
        counts[key][state] += Number(flagged[key]);
      }
    });
    posts += rows.length;
  } while (rows.length === BATCH && posts < MAX_POSTS);
  return { posts, complete: rows.length < BATCH, ...counts };
}

const none = () => ({ posts: 0, approved: 0, rejected: 0, unreviewed: 0 });

function withChange(
  stored: StoredSettings,
  { name, weight, ...change }: DryRunRequest,
  rule: { weight: number; enabled: boolean } | undefined,
): StoredSettings {
  const refuse = (path: string, message: string) => validationError([{ path, message }]);
  if (rule !== undefined) {
    const { enabled = rule.enabled, ...others } = change;
    if (Object.values(others).some((field) => field !== undefined))
      throw refuse("name", "a text rule has only weight and enabled");
    return { ...stored, rules: [...stored.rules, { name, weight: weight ?? rule.weight, enabled }] };
  }
  if (!isCheckName(name)) throw refuse("name", `"${name}" is neither a check nor a text rule`);
  if (weight !== undefined) throw refuse("weight", "only a text rule has a weight");
  if (name === "question" && change.votes !== undefined)
    throw refuse("votes", "each stream decides whether its question votes");
  const others = stored.checks.filter((check) => check.name !== name);
  return { ...stored, checks: [...others, changed(storedOf(stored.checks, name), change)] };
}
