import { now, toIso } from "#lib/base/clock.ts";
import { env } from "#lib/base/env.ts";
import { learntReviews, MIN_OF_EACH } from "#lib/checks/learner/learn.ts";
import { engineProblem } from "#lib/checks/pictures/engine-state.ts";
import { chatHost, isChatModelOn } from "#lib/checks/remote/chat-endpoint.ts";
import { callsToday, chatModel, countWaiting } from "#lib/checks/remote/sql.ts";
import { outdatedIds } from "#lib/checks/results/advise-again.ts";
import { checkNames, type CheckName } from "#lib/checks/results/check-names.ts";
import { rules } from "#lib/checks/rules/rules.ts";
import { readCheckSettings } from "#lib/checks/settings/check-settings.ts";
import type { ChatModelState, ChecksSettings, CheckState } from "#lib/checks/settings/schema.ts";
import { warnedRows } from "./sql.ts";

/** Each check with its setting and with what it found. */
export async function getChecksSettings(): Promise<ChecksSettings> {
  const [settings, outdated, warned, reviews, chat_model] = await Promise.all([
    readCheckSettings(),
    outdatedIds(1),
    warnedRows(),
    learntReviews(),
    readChatModel(),
  ]);
  const found = new Map(warned.map((row) => [row.name, row]));
  const approvals = Math.max(0, MIN_OF_EACH - (reviews.reviewed - reviews.rejected));
  const rejections = Math.max(0, MIN_OF_EACH - reviews.rejected);
  return {
    checks: checkNames.map((name): CheckState => {
      return {
        name,
        ...settings.checks[name],
        missing: missingFor(name),
        warned: found.get(name)?.warned ?? 0,
        rejected: found.get(name)?.rejected ?? 0,
        needs: name === "learner" && approvals + rejections > 0 ? { approvals, rejections } : null,
      };
    }),
    rules: rules.map(({ name, describes, weight }) => ({
      name,
      describes,
      weight,
      enabled: settings.rules.has(name),
    })),
    decisions: found.get(null)?.warned ?? 0,
    chat_model,
    judging: outdated.length > 0,
  };
}

/** @returns null if the check can run */
function missingFor(name: CheckName): string | null {
  if (name === "picture_explicit" || name === "picture_suggestive") return engineProblem();
  return name === "chat_model" && !isChatModelOn() ? "AI_BASE_URL and AI_MODEL are not set." : null;
}

/** Without the key and without the path of the address. */
async function readChatModel(): Promise<ChatModelState | null> {
  if (!isChatModelOn()) return null;
  const { AI_DAILY_LIMIT, AI_MODEL = "" } = env();
  const [state, waiting] = await Promise.all([chatModel.read(), countWaiting()]);
  return {
    host: chatHost(),
    model: AI_MODEL,
    calls_today: callsToday(state),
    daily_limit: AI_DAILY_LIMIT,
    waiting,
    paused_until: state.paused_until > now() ? toIso(state.paused_until) : null,
    last_error: state.last_error,
    failed_at: toIso(state.failed_at),
  };
}
