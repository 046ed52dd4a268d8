import { db } from "#lib/base/db.ts";
import { MIN_OF_EACH } from "#lib/checks/learner/calibrate.ts";
import { engineState, type EngineState } from "#lib/checks/pictures/engine-state.ts";
import { isChatModelOn } from "#lib/checks/remote/chat-endpoint.ts";
import { readChatModel } from "#lib/checks/remote/read-chat-model.ts";
import { checkDefaults, checkNames, type CheckName } from "#lib/checks/results/check-names.ts";
import { rules } from "#lib/checks/rules/rules.ts";
import { combineSettings, readStoredSettings, settingsKey } from "#lib/checks/settings/check-settings.ts";
import type { ChecksSettings, CheckState } from "#lib/checks/settings/schema.ts";
import { reviewsToLearn } from "#lib/checks/training/examples-sql.ts";
import { warnedRows } from "./score-sql.ts";

/** Each check with its setting and with what it found. */
export async function getChecksSettings(): Promise<ChecksSettings> {
  const [stored, judging, engine, warned, reviews, chat_model] = await Promise.all([
    readStoredSettings(db),
    isJudging(),
    engineState(),
    warnedRows(),
    reviewsToLearn(),
    readChatModel(),
  ]);
  const settings = combineSettings(stored);
  const defaults = combineSettings({ ...stored, stored: {} });
  const found = new Map(warned.map((row) => [row.name, row]));
  const approvals = Math.max(0, MIN_OF_EACH - reviews.approvals);
  const rejections = Math.max(0, MIN_OF_EACH - reviews.rejections);
  return {
    checks: checkNames.map((name): CheckState => {
      const { enabled, threshold } = settings.checks[name];
      return {
        name,
        enabled,
        votes: stored.stored[name]?.votes ?? checkDefaults[name].votes,
        threshold,
        default_threshold: defaults.checks[name].threshold,
        missing: missingFor(name, engine),
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
    judging,
  };
}

/** The job that judges stored posts again has the key of the settings that it works for. */
async function isJudging(): Promise<boolean> {
  const [job, key] = await Promise.all([
    db.check_job.findUnique({ where: { name: "rejudge" } }),
    settingsKey(),
  ]);
  return job !== null && (!job.finished || job.key !== key);
}

/** @returns null if the check can run */
function missingFor(name: CheckName, engine: EngineState): string | null {
  if (name === "picture_explicit" || name === "picture_suggestive") return engine.reason;
  return name === "chat_model" && !isChatModelOn() ? "AI_BASE_URL and AI_MODEL are not set." : null;
}
