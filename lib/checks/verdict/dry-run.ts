import { setImmediate as nextTurn } from "node:timers/promises";
import { db } from "#lib/db.ts";
import { validationError } from "#lib/errors.ts";
import { changed, storedOf } from "#lib/checks/settings/change-check-settings.ts";
import {
  combineSettings,
  readStoredSettings,
  type StoredSettings,
} from "#lib/checks/settings/check-settings.ts";
import { isCheckName, type CheckSettings } from "#lib/checks/results/check-names.ts";
import type { DryRun, DryRunRequest, Flagged } from "#lib/checks/settings/schema.ts";
import { recentRawRows } from "./dry-run-sql.ts";
import { judge } from "./judge.ts";
import { rules } from "#lib/checks/rules/rules.ts";

const DAYS = 30;
const MOST = 20_000;
const BATCH = 1000;

/**
 * Judges the posts of the last 30 days from their stored results, with the present settings and with a change. Runs no
 * check and changes nothing.
 *
 * @throws ApiError 422 for an unknown name, and for a field that the check or rule does not have
 */
export async function dryRun(request: DryRunRequest): Promise<DryRun> {
  refuseWrong(request);
  const stored = await readStoredSettings(db);
  const present = combineSettings(stored);
  const wanted = combineSettings(withChange(stored, present, request));
  const result: DryRun = {
    posts: 0,
    complete: true,
    before: nothing(),
    after: nothing(),
    added: nothing(),
    removed: nothing(),
  };
  let before: number | null = null;
  while (result.posts < MOST) {
    const rows = await recentRawRows(DAYS, before, BATCH);
    for (const { approved, ...raw } of rows) {
      const now = judge(raw, present).would_reject;
      const then = judge(raw, wanted).would_reject;
      if (now) count(result.before, approved);
      if (then) count(result.after, approved);
      if (then && !now) count(result.added, approved);
      if (now && !then) count(result.removed, approved);
    }
    result.posts += rows.length;
    if (rows.length < BATCH) return result;
    before = rows.at(-1)?.id ?? null;
    await nextTurn();
  }
  return { ...result, complete: false };
}

function refuseWrong({ name, weight, threshold, votes, resume }: DryRunRequest): void {
  const isRule = rules.some((rule) => rule.name === name);
  const refuse = (path: string, message: string) => validationError([{ path, message }]);
  if (!isRule && !isCheckName(name)) throw refuse("name", `"${name}" is neither a check nor a text rule`);
  if (!isRule && weight !== undefined) throw refuse("weight", "only a text rule has a weight");
  if (isRule && [threshold, votes, resume].some((field) => field !== undefined)) {
    throw refuse("name", "a text rule has only weight and enabled");
  }
  if (name === "question" && votes !== undefined) {
    throw refuse("votes", "each stream decides whether its question votes");
  }
}

function withChange(
  stored: StoredSettings,
  present: CheckSettings,
  { name, weight, ...change }: DryRunRequest,
): StoredSettings {
  const rule = present.rules.get(name);
  if (rule === undefined) {
    const others = stored.checks.filter((check) => check.name !== name);
    return { ...stored, checks: [...others, changed(storedOf(stored.checks, name), change)] };
  }
  const others = stored.rules.filter((each) => each.name !== name);
  const own = { name, weight: weight ?? rule.weight, enabled: change.enabled ?? rule.enabled };
  return { ...stored, rules: [...others, own] };
}

function nothing(): Flagged {
  return { posts: 0, approved: 0, rejected: 0, unreviewed: 0 };
}

function count(flagged: Flagged, approved: boolean | null): void {
  flagged.posts++;
  flagged[approved === null ? "unreviewed" : approved ? "approved" : "rejected"]++;
}
