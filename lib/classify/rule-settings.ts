import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { db } from "#lib/db.ts";
import { validationError } from "#lib/errors.ts";
import { readCheckSettings } from "./check-settings.ts";
import { rules } from "./rules.ts";
import type { ClassifyRules, ClassifyRulesUpdate } from "./schema.ts";

export async function listRules(): Promise<ClassifyRules> {
  const settings = await readCheckSettings();
  return {
    vote_at: settings.checks.rules.threshold ?? 1,
    rules: rules.map(({ name, describes, weight }) => ({
      name,
      describes,
      weight: settings.rules.get(name)?.weight ?? weight,
      enabled: settings.rules.get(name)?.enabled ?? true,
      default_weight: weight,
    })),
  };
}

/**
 * The job "judge again" brings the change to all posts.
 *
 * @throws ApiError 422 for an unknown rule
 */
export async function updateRules(actor: Actor, update: ClassifyRulesUpdate): Promise<ClassifyRules> {
  const before = new Map((await listRules()).rules.map((rule) => [rule.name, rule]));
  const unknown = update.rules.flatMap(({ name }, index) =>
    before.has(name) ? [] : [{ path: `rules.${index}.name`, message: `"${name}" is not a rule` }],
  );
  if (unknown.length > 0) throw validationError(unknown);
  await db.$transaction(async (tx) => {
    for (const { name, weight, enabled } of update.rules) {
      const old = before.get(name);
      if (old === undefined) continue;
      const data = { weight: weight ?? old.weight, enabled: enabled ?? old.enabled };
      if (data.weight === old.weight && data.enabled === old.enabled) continue;
      await tx.classify_rule.upsert({
        where: { name },
        create: { name, ...data },
        update: { ...data, updated_at: new Date() },
      });
      await recordAudit(tx, actor, {
        action: "classify_rule.update",
        subject: name,
        before: { weight: old.weight, enabled: old.enabled },
        after: data,
      });
    }
  });
  return listRules();
}
