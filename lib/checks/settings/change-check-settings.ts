import { recordAudit } from "#lib/audit/record-audit.ts";
import type { Actor } from "#lib/auth/principal.ts";
import { db, type Prisma, type Tx } from "#lib/db.ts";
import { env } from "#lib/env.ts";
import { validationError } from "#lib/errors.ts";
import { engineState, type EngineState } from "#lib/checks/pictures/engine-state.ts";
import { combineSettings, readStoredSettings, type StoredCheck } from "./check-settings.ts";
import { checkDefaults, checkNames, isCheckName, type CheckName } from "#lib/checks/results/check-names.ts";
import type { CheckChange, CheckState, ChecksSettings, ChecksSettingsUpdate } from "./schema.ts";
import { settingsKey } from "./sql.ts";
import { changeSettings, type SettingStore } from "./change-settings.ts";

export async function getChecksSettings(): Promise<ChecksSettings> {
  const [stored, judging, engine] = await Promise.all([readStoredSettings(db), isJudging(), engineState()]);
  const settings = combineSettings(stored);
  const defaults = combineSettings({ ...stored, checks: [] });
  const checks = checkNames.map((name): CheckState => {
    const { enabled, threshold, shown } = settings.checks[name];
    return {
      name,
      enabled,
      votes: storedOf(stored.checks, name).votes ?? checkDefaults[name].votes,
      threshold,
      default_votes: checkDefaults[name].votes,
      default_threshold: defaults.checks[name].threshold,
      shown,
      default_shown: defaults.checks[name].shown,
      missing: missingFor(name, engine),
    };
  });
  return { checks, judging };
}

/**
 * Stored posts are judged again in the background. A request that changes nothing writes no audit line.
 *
 * @throws ApiError 422 for an unknown check, and for the vote of the question
 */
export async function changeChecksSettings(
  actor: Actor,
  { checks: changes }: ChecksSettingsUpdate,
): Promise<ChecksSettings> {
  refuseWrong(changes);
  const edits = changes.map(({ name, ...change }) => ({
    name,
    edit: (before: CheckFields) => fieldsOf(changed(rowOf(name, before), change)),
  }));
  await changeSettings(actor, store, edits);
  return getChecksSettings();
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
  const providers = env().AI_PROVIDER;
  if (name === "remote_moderation" && providers.length === 0) return "AI_PROVIDER is off.";
  if (name === "question" && !providers.includes("openai-compatible")) {
    return "AI_PROVIDER does not name openai-compatible.";
  }
  return null;
}

function refuseWrong(changes: readonly CheckChange[]): void {
  const problems = changes.flatMap(({ name, votes }, index) => {
    if (!isCheckName(name)) return [{ path: `checks.${index}.name`, message: `"${name}" is not a check` }];
    return name === "question" && votes !== undefined
      ? [{ path: `checks.${index}.votes`, message: "each stream decides whether its question votes" }]
      : [];
  });
  if (problems.length > 0) throw validationError(problems);
}

/** Two changes at once happen one after the other. */
async function lockSettings(tx: Tx): Promise<void> {
  await tx.$executeRaw`LOCK TABLE check_setting IN SHARE ROW EXCLUSIVE MODE`;
}

export function storedOf(stored: readonly StoredCheck[], name: string): StoredCheck {
  const none = {
    name,
    enabled: true,
    votes: null,
    threshold: null,
    shown: null,
  };
  return stored.find((check) => check.name === name) ?? none;
}

/** The stored setting after a change. */
export function changed(before: StoredCheck, change: Omit<CheckChange, "name">): StoredCheck {
  const { enabled, votes, threshold, shown } = change;
  return {
    ...before,
    ...(enabled === undefined ? {} : { enabled }),
    ...(votes === undefined ? {} : { votes }),
    ...(threshold === undefined ? {} : { threshold }),
    ...(shown === undefined ? {} : { shown }),
  };
}

type CheckFields = Omit<StoredCheck, "name">;

function fieldsOf({ enabled, votes, threshold, shown }: StoredCheck): CheckFields {
  return { enabled, votes, threshold, shown };
}

function rowOf(name: string, fields: CheckFields): StoredCheck {
  return { name, ...fields };
}

const store: SettingStore<CheckFields> = {
  lock: lockSettings,
  read: async (tx) => {
    const { checks } = await readStoredSettings(tx);
    return new Map(checks.map((row) => [row.name, fieldsOf(row)]));
  },
  defaultsOf: (name) => fieldsOf(storedOf([], name)),
  write: async (tx, actor, name, change) => {
    const [before, after] = [rowOf(name, change.before), rowOf(name, change.after)];
    await tx.check_setting.upsert({ where: { name }, create: after, update: after });
    await recordAudit(tx, actor, {
      action: "check.update",
      subject: name,
      before: differing(before, after),
      after: differing(after, before),
    });
  },
};

/** The fields of `row` that differ from those of `other`. */
function differing(row: StoredCheck, other: StoredCheck): Prisma.InputJsonObject {
  const plain = JSON.parse(JSON.stringify(row)) as Prisma.JsonObject;
  const wanted = Object.keys(row).filter(
    (key) => row[key as keyof StoredCheck] !== other[key as keyof StoredCheck],
  );
  return Object.fromEntries(wanted.map((key) => [key, plain[key] ?? null]));
}
