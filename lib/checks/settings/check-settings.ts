import { z } from "zod";
import { db, type Tx } from "#lib/base/db.ts";
import { setting } from "#lib/base/setting.ts";
import {
  checkDefaults,
  isCheckName,
  type CheckName,
  type CheckSetting,
  type CheckSettings,
} from "#lib/checks/results/check-names.ts";
import { rules as allRules } from "#lib/checks/rules/rules.ts";

/** What an admin changed of a check or of a rule. */
const StoredSetting = z.object({
  enabled: z.boolean().default(true),
  votes: z.boolean().nullable().default(null),
  threshold: z.number().gt(0).max(1).nullable().default(null),
});
export type StoredSetting = z.output<typeof StoredSetting>;
export const unchanged: StoredSetting = StoredSetting.parse({});

/** By name of the check or rule. */
export const checkChanges = setting("checks", z.record(z.string(), StoredSetting));

/** The stored values that settings are computed from. */
export interface StoredSettings {
  stored: Record<string, StoredSetting>;
  /** The newest one. */
  model: { threshold: number | null; metrics: unknown } | null;
}

/** Of all settings that verdicts depend on; stored results and the learner's model are not in it. */
export async function settingsKey(): Promise<string> {
  return JSON.stringify(await checkChanges.read());
}

export async function readCheckSettings(): Promise<CheckSettings> {
  return combineSettings(await readStoredSettings(db));
}

export async function readStoredSettings(tx: Tx | typeof db): Promise<StoredSettings> {
  const [stored, model] = await Promise.all([
    checkChanges.read(tx),
    tx.check_model.findFirst({ orderBy: { version: "desc" }, select: { threshold: true, metrics: true } }),
  ]);
  return { stored, model };
}

/**
 * The defaults with the stored changes. The learner takes its threshold from the newest model, and votes only when the
 * model has enough reviews.
 */
export function combineSettings({ stored, model }: StoredSettings): CheckSettings {
  const { checks, rules } = defaultSettings();
  const { learner } = checks;
  learner.threshold = model?.threshold ?? null;
  for (const [name, { enabled, votes, threshold }] of Object.entries(stored)) {
    if (!isCheckName(name)) {
      if (!enabled) rules.delete(name);
      continue;
    }
    const check = checks[name];
    check.enabled = enabled;
    check.votes = votes ?? check.votes;
    check.threshold = threshold ?? check.threshold;
  }
  // After too few reviews, a threshold of an admin changes nothing.
  learner.votes &&= learner.threshold !== null && isReady(model?.metrics);
  return { checks, rules };
}

/** With nothing changed by an admin. The learner has no threshold, so it cannot vote. */
export function defaultSettings(): { checks: Record<CheckName, CheckSetting>; rules: Set<string> } {
  return { checks: structuredClone(checkDefaults), rules: new Set(allRules.map(({ name }) => name)) };
}

/** `metrics` of a model: at least 30 approvals and 30 rejections. */
function isReady(metrics: unknown): boolean {
  return typeof metrics === "object" && metrics !== null && "ready" in metrics && metrics.ready === true;
}
