import { now, toIso } from "#lib/base/clock.ts";
import { db } from "#lib/base/db.ts";
import { env } from "#lib/base/env.ts";
import { learntReviews, MIN_OF_EACH } from "#lib/checks/learner/learn.ts";
import { engineProblem } from "#lib/checks/pictures/engine-state.ts";
import { chatHost, isChatModelOn } from "#lib/checks/remote/chat-model.ts";
import { callsToday, chatModel, countWaiting } from "#lib/checks/remote/sql.ts";
import { outdatedIds } from "#lib/checks/results/advise-again.ts";
import { checkNames, type CheckName } from "#lib/checks/results/check-names.ts";
import { rules } from "#lib/checks/rules/rules.ts";
import { readCheckSettings } from "#lib/checks/settings/check-settings.ts";
import { judge } from "#lib/checks/verdict/judge.ts";
import { rawRows } from "#lib/checks/verdict/sql.ts";
import type { Checks } from "./schema.ts";
import { warnedRows } from "./sql.ts";

/** The results of the checks of a post, with the present thresholds and votes; none before the first check. */
export async function showChecks(postId: number): Promise<Checks> {
  const [raw] = await rawRows(db, [postId]);
  if (!raw) return { checks: [], picture_scores: [] };
  return {
    checks: judge(raw, await readCheckSettings()).checks,
    picture_scores: raw.pictures.map(({ source: _source, ...picture }) => picture),
  };
}

export type ChecksSettings = Awaited<ReturnType<typeof getChecksSettings>>;

/** The settings of each check, and how often it warned. */
export async function getChecksSettings() {
  const [settings, outdated, found, reviews, chat_model] = await Promise.all([
    readCheckSettings(),
    outdatedIds(1),
    warnedRows(),
    learntReviews(),
    readChatModel(),
  ]);
  const foundBy = (name: CheckName | null) =>
    found.find((row) => row.name === name) ?? { warned: 0, rejected: 0 };
  const approvals = Math.max(0, MIN_OF_EACH - (reviews.reviewed - reviews.rejected));
  const rejections = Math.max(0, MIN_OF_EACH - reviews.rejected);
  return {
    checks: checkNames.map((name) => ({
      ...settings.checks[name],
      name,
      /** Why the check cannot run on this installation; null when it can. */
      missing: missingFor(name),
      /** Stored posts among the newest 20,000 decisions that were at or above the threshold: `GET /posts?warned_by=`. */
      warned: foundBy(name).warned,
      /** Those of them that were rejected. */
      rejected: foundBy(name).rejected,
      /** Decisions that the learner needs before it votes; null when it has enough. */
      needs: name === "learner" && approvals + rejections > 0 ? { approvals, rejections } : null,
    })),
    rules: rules.map(({ name, describes }) => ({ name, describes, enabled: settings.rules.has(name) })),
    /** Decided posts that `warned` counts are taken from. */
    decisions: foundBy(null).warned,
    chat_model,
    /** Stored posts are being judged again, after a change of a setting. */
    judging: outdated.length > 0,
  };
}

function missingFor(name: CheckName): string | null {
  if (name === "picture_explicit" || name === "picture_suggestive") return engineProblem();
  return name === "chat_model" && !isChatModelOn() ? "AI_BASE_URL and AI_MODEL are not set." : null;
}

/** Without the key and without the path of the address. */
async function readChatModel() {
  if (!isChatModelOn()) return null;
  const { AI_DAILY_LIMIT, AI_MODEL = "" } = env();
  const [state, waiting] = await Promise.all([chatModel.read(), countWaiting()]);
  return {
    host: chatHost(),
    model: AI_MODEL,
    /** Calls since midnight UTC. */
    calls_today: callsToday(state),
    daily_limit: AI_DAILY_LIMIT,
    /** Posts that the model is still to be asked about. */
    waiting,
    /** Set after five failures in a row, or when the endpoint asked to wait. */
    paused_until: state.paused_until > now() ? toIso(state.paused_until) : null,
    last_error: state.last_error,
  };
}
