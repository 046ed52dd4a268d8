import type { Actor } from "#lib/auth/principal.ts";
import { recordAudit } from "#lib/audit/record-audit.ts";
import { validationError } from "#lib/errors.ts";
import { readCheckSettings } from "./check-settings.ts";
import { rules } from "#lib/checks/rules/rules.ts";
import type { ClassifyRules, ClassifyRulesUpdate } from "#lib/checks/rules/schema.ts";
import { changeSettings, type SettingStore } from "./change-settings.ts";

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
  const unknown = update.rules.flatMap(({ name }, index) =>
    rules.some((rule) => rule.name === name)
      ? []
      : [{ path: `rules.${index}.name`, message: `"${name}" is not a rule` }],
  );
  if (unknown.length > 0) throw validationError(unknown);
  const edits = update.rules.map(({ name, weight, enabled }) => ({
    name,
    edit: (before: RuleFields) => ({
      weight: weight ?? before.weight,
      enabled: enabled ?? before.enabled,
    }),
  }));
  await changeSettings(actor, store, edits);
  return listRules();
}

// No interface: only a type fits an index signature.
type RuleFields = { weight: number; enabled: boolean };

const fieldsOf = ({ weight, enabled }: RuleFields): RuleFields => ({ weight, enabled });

const store: SettingStore<RuleFields> = {
  lock: (tx) => tx.$executeRaw`LOCK TABLE classify_rule IN SHARE ROW EXCLUSIVE MODE`,
  read: async (tx) => {
    const rows = await tx.classify_rule.findMany();
    return new Map(rows.map((row) => [row.name, fieldsOf(row)]));
  },
  defaultsOf: (name) => ({
    weight: rules.find((rule) => rule.name === name)?.weight ?? 0,
    enabled: true,
  }),
  write: async (tx, actor, name, { before, after }) => {
    await tx.classify_rule.upsert({
      where: { name },
      create: { name, ...after },
      update: { ...after, updated_at: new Date() },
    });
    await recordAudit(tx, actor, { action: "classify_rule.update", subject: name, before, after });
  },
};
