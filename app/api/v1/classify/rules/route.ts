import { listRules, updateRules } from "#lib/checks/settings/rule-settings.ts";
import { ClassifyRules, ClassifyRulesUpdate } from "#lib/checks/rules/schema.ts";
import { ok, operation, routes } from "#lib/http/route.ts";

const tag = "Checks";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/classify/rules", {
  GET: operation({
    id: "listTextRules",
    summary: "List the text rules",
    description: "Each with the weight that holds now; hits combine to 1 − Π(1 − weight).",
    tag,
    scope: "read",
    responses: { 200: ClassifyRules },
    handle: async () => ok(await listRules()),
  }),
  PUT: operation({
    id: "updateTextRules",
    summary: "Change weights of text rules, or switch them on and off",
    description:
      "Omitted rules do not change. Stored posts are judged again in the background, without running a check.",
    tag,
    scope: "manage",
    body: ClassifyRulesUpdate,
    responses: { 200: ClassifyRules },
    handle: async ({ principal, body }) => ok(await updateRules(principal, body)),
  }),
});
