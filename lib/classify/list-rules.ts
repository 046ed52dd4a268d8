import { db } from "#lib/db.ts";
import { rules, VOTE_AT } from "./rules.ts";
import type { ClassifyRules } from "./schema.ts";

/** All text rules with their current settings and the voting threshold. */
export async function listRules(): Promise<ClassifyRules> {
  const changed = new Map((await db.classify_rule.findMany()).map((row) => [row.name, row]));
  return {
    vote_at: VOTE_AT,
    rules: rules.map(({ name, describes, weight }) => ({
      name,
      describes,
      weight: changed.get(name)?.weight ?? weight,
      enabled: changed.get(name)?.enabled ?? true,
      default_weight: weight,
    })),
  };
}
