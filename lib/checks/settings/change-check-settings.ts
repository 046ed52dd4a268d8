import { recordAudit } from "#lib/accounts/record-audit.ts";
import { db, type Prisma } from "#lib/base/db.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { adviseAgain } from "#lib/checks/results/advise-again.ts";
import { isCheckName } from "#lib/checks/results/check-names.ts";
import { checkChanges, unchanged, type StoredSetting } from "./check-settings.ts";
import type { ChecksSettingsUpdate } from "./schema.ts";

/** Unreviewed posts are classified again in the background. A change to the present values writes no audit line. */
export async function changeChecksSettings(
  actor: Actor,
  { checks = [], rules: ruleChanges = [] }: ChecksSettingsUpdate,
): Promise<void> {
  await db.$transaction(async (tx) => {
    const stored = await checkChanges.lock(tx);
    for (const { name, ...change } of [...checks, ...ruleChanges]) {
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
