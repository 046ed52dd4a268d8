import { z } from "zod";
import { setting } from "#lib/base/setting.ts";
import { learner } from "#lib/checks/learner/learn.ts";
import {
  checkDefaults,
  isCheckName,
  type CheckName,
  type CheckSetting,
  type CheckSettings,
} from "#lib/checks/results/check-names.ts";
import { rules as allRules } from "#lib/checks/rules/rules.ts";

/** Settings of a check or of a rule that an admin changed. */
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
  /** Found by the learner. */
  found: Pick<Awaited<ReturnType<typeof learner.read>>, "threshold">;
}

export async function readCheckSettings(): Promise<CheckSettings> {
  return combineSettings(await readStoredSettings());
}

export async function readStoredSettings(): Promise<StoredSettings> {
  const [stored, found] = await Promise.all([checkChanges.read(), learner.read()]);
  return { stored, found };
}

/**
 * The defaults with the stored changes. The learner has the threshold that it found, and votes only after
 * enough reviews.
 */
export function combineSettings({ stored, found }: StoredSettings): CheckSettings {
  const { checks, rules } = defaultSettings();
  checks.learner.threshold = found.threshold;
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
  // Without a threshold of its own, that of an admin changes nothing.
  checks.learner.votes &&= found.threshold !== null;
  return { checks, rules };
}

/** With nothing changed by an admin. The learner has no threshold, so it cannot vote. */
export function defaultSettings(): { checks: Record<CheckName, CheckSetting>; rules: Set<string> } {
  return { checks: structuredClone(checkDefaults), rules: new Set(allRules.map(({ name }) => name)) };
}
