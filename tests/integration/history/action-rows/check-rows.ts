import { GET as getChecks, PUT as putChecks } from "#app/api/v1/checks/settings/route.ts";
import { GET as getRules, PUT as putRules } from "#app/api/v1/classify/rules/route.ts";
import { DELETE as deleteWord } from "#app/api/v1/classify/words/[id]/route.ts";
import { POST as postWord } from "#app/api/v1/classify/words/route.ts";
import type { ChecksSettings } from "#lib/checks/settings/schema.ts";
import type { ClassifyRules } from "#lib/checks/rules/schema.ts";
import { db } from "#lib/db.ts";
import { unique } from "#tests/setup/factories.ts";
import type { ActionRow } from "./action-row.ts";

export const checkRows: ActionRow[] = [
  {
    name: "a change of the settings of two checks",
    prepare: async (caller) => {
      await db.check_setting.deleteMany();
      await db.check_setting.create({ data: { name: "picture_explicit", threshold: 0.3, votes: false } });
      const body = {
        checks: [
          { name: "picture_explicit", votes: true, threshold: 0.123456789 },
          { name: "rules", enabled: false },
        ],
      };
      return {
        state: async () => (await caller.get<ChecksSettings>(getChecks, "checks/settings")).json.checks,
        act: () => caller.post(putChecks, "checks/settings", body, {}, "PUT"),
        changes: 3 + 1,
        again: 200,
      };
    },
  },
  {
    name: "a change of the weights of text rules",
    prepare: async (caller) => {
      await db.classify_rule.deleteMany();
      await db.classify_rule.create({ data: { name: "capitals", weight: 0.4, enabled: false } });
      const body = {
        rules: [
          { name: "capitals", weight: 0.123456789, enabled: true },
          { name: "some_mentions", weight: 0.3 },
          { name: "some_mentions", weight: 0.2 },
          { name: "many_mentions", enabled: true },
        ],
      };
      return {
        state: async () => (await caller.get<ClassifyRules>(getRules, "classify/rules")).json,
        act: () => caller.post(putRules, "classify/rules", body, {}, "PUT"),
        changes: 2 + 1,
        again: 200,
      };
    },
  },
  ...(["addition", "removal"] as const).map((change): ActionRow => ({
    name: `the ${change} of a listed word`,
    prepare: async (caller) => {
      const word = `Free ${unique()}`;
      if (change === "removal") await caller.post(postWord, "classify/words", { word });
      await db.change.deleteMany();
      const { id } = (await db.classify_word.findFirst({ where: { word } })) ?? { id: 0 };
      return {
        state: () => db.classify_word.findFirst({ where: { word } }),
        act: () =>
          change === "addition"
            ? caller.post(postWord, "classify/words", { word })
            : caller.post(deleteWord, `classify/words/${id}`, undefined, { id: String(id) }, "DELETE"),
        changes: 1,
        again: change === "addition" ? 409 : 404,
      };
    },
  })),
];
