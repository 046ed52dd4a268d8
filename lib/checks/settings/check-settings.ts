import { z } from "zod";
import { recordAudit } from "#lib/accounts/record-audit.ts";
import { db, type Prisma } from "#lib/base/db.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { setting } from "#lib/base/setting.ts";
import { adviseAgain } from "#lib/checks/results/advise-again.ts";
import { learner } from "#lib/checks/learner/learn.ts";
import {
  checkDefaults,
  checkNames,
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
type StoredSetting = z.output<typeof StoredSetting>;
export const unchanged: StoredSetting = StoredSetting.parse({});

/** Changed settings, by name of the check or rule. */
export const checkChanges = setting("checks", z.record(z.string(), StoredSetting));

type Changes = Awaited<ReturnType<typeof checkChanges.read>>;

export async function readCheckSettings(): Promise<CheckSettings> {
  const [changes, { threshold }] = await Promise.all([checkChanges.read(), learner.read()]);
  return settingsOf(changes, threshold);
}

/**
 * The defaults with the changes of an admin.
 *
 * @param found threshold that the learner has chosen. Without one, the learner does not vote, whatever an admin has set
 */
export function settingsOf(changes: Changes, found: number | null): CheckSettings {
  const settingOf = (name: CheckName): CheckSetting => {
    const { enabled, votes, threshold } = changes[name] ?? unchanged;
    const given = checkDefaults[name];
    const default_threshold = name === "learner" ? found : given.threshold;
    return {
      enabled,
      votes: votes ?? given.votes,
      threshold: default_threshold && (threshold ?? default_threshold),
      default_threshold,
    };
  };
  return {
    checks: Object.fromEntries(checkNames.map((name) => [name, settingOf(name)])) as CheckSettings["checks"],
    rules: new Set(allRules.map(({ name }) => name).filter((name) => changes[name]?.enabled !== false)),
  };
}

/** An update. Checks and rules that it does not name stay unchanged. */
interface ChecksUpdate {
  checks?: ({ name: CheckName } & Partial<StoredSetting>)[];
  rules?: { name: string; enabled: boolean }[];
}

/** Has unreviewed posts classified again in the background. An update without a difference writes no audit line. */
export async function changeChecksSettings(
  actor: Actor,
  { checks = [], rules = [] }: ChecksUpdate,
): Promise<void> {
  await db.$transaction(async (tx) => {
    const stored = await checkChanges.lock(tx);
    for (const { name, ...change } of [...checks, ...rules]) {
      const before = stored[name] ?? unchanged;
      const set = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
      const after = (stored[name] = { ...before, ...set });
      if (Object.keys(differing(before, after)).length === 0) continue;
      await recordAudit(tx, actor, {
        action: isCheckName(name) ? "check.update" : "classify_rule.update",
        subject: name,
        before: differing(before, after),
        after: differing(after, before),
      });
    }
    await checkChanges.set(stored, tx);
  });
  await adviseAgain();
}

/** The fields of `row` that differ from those of `other`. */
function differing(row: StoredSetting, other: StoredSetting): Prisma.InputJsonObject {
  const keys = ["enabled", "votes", "threshold"] as const;
  return Object.fromEntries(keys.filter((key) => row[key] !== other[key]).map((key) => [key, row[key]]));
}
