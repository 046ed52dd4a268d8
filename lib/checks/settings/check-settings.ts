import { db, type Prisma, type Tx } from "#lib/db.ts";
import {
  checkDefaults,
  checkNames,
  isCheckName,
  type CheckName,
  type CheckSetting,
  type CheckSettings,
} from "#lib/checks/results/check-names.ts";
import { rules as allRules } from "#lib/checks/rules/rules.ts";

/** A remote moderation is measured first; an admin has it shown. */
const hiddenChecks: readonly CheckName[] = ["remote_moderation"];

export type StoredCheck = Pick<
  Prisma.check_settingGetPayload<object>,
  "name" | "enabled" | "votes" | "threshold" | "shown"
>;

/** The changes by admins and the newest model, from which settings are computed. */
export interface StoredSettings {
  checks: readonly StoredCheck[];
  rules: readonly { name: string; weight: number; enabled: boolean }[];
  model: { threshold: number | null; metrics: unknown } | null;
}

export async function readCheckSettings(): Promise<CheckSettings> {
  return combineSettings(await readStoredSettings(db));
}

export async function readStoredSettings(tx: Tx | typeof db): Promise<StoredSettings> {
  const [checks, rules, model] = await Promise.all([
    tx.check_setting.findMany({
      omit: { updated_at: true },
    }),
    tx.classify_rule.findMany(),
    tx.check_model.findFirst({ orderBy: { version: "desc" }, select: { threshold: true, metrics: true } }),
  ]);
  return { checks, rules, model };
}

/**
 * The defaults with the stored changes. The learner takes its threshold from the newest model, and votes only when the
 * model has enough reviews.
 */
export function combineSettings({ checks: stored, rules: weights, model }: StoredSettings): CheckSettings {
  const settings = defaultSettings();
  const { learner } = settings.checks;
  learner.threshold = model?.threshold ?? null;
  for (const { name, weight, enabled } of weights) {
    if (settings.rules.has(name)) settings.rules.set(name, { weight, enabled });
  }
  for (const { name, enabled, votes, threshold, shown } of stored) {
    if (!isCheckName(name)) continue;
    const check = settings.checks[name];
    check.enabled = enabled;
    check.votes = votes ?? check.votes;
    check.threshold = threshold ?? check.threshold;
    check.shown = shown ?? check.shown;
  }
  // After too few reviews, a threshold of an admin changes nothing.
  learner.votes &&= learner.threshold !== null && isReady(model?.metrics);
  return settings;
}

/** With nothing changed by an admin. The learner has no threshold, so it cannot vote. */
export function defaultSettings(): {
  checks: Record<CheckName, CheckSetting>;
  rules: Map<string, { weight: number; enabled: boolean }>;
} {
  const entries = checkNames.map((name) => {
    const shown = !hiddenChecks.includes(name);
    return [name, { ...checkDefaults[name], enabled: true, shown }] as const;
  });
  const checks = Object.fromEntries(entries) as Record<CheckName, CheckSetting>;
  return {
    checks,
    rules: new Map(allRules.map(({ name, weight }) => [name, { weight, enabled: true }])),
  };
}

/** `metrics` of a model: at least 30 approvals and 30 rejections. */
function isReady(metrics: unknown): boolean {
  return typeof metrics === "object" && metrics !== null && "ready" in metrics && metrics.ready === true;
}
