import { ok, operation, routes } from "#lib/accounts/route.ts";
import { getChecksSettings } from "#lib/checks/score/show-settings.ts";
import { changeChecksSettings } from "#lib/checks/settings/check-settings.ts";
import { ChecksSettings, ChecksSettingsUpdate } from "#lib/checks/settings/schema.ts";

const tag = "Checks";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/checks/settings", {
  GET: operation({
    id: "getCheckSettings",
    summary: "Get the settings of the checks",
    description: "With the thresholds in force, the text rules, the chat model, and what each check found.",
    tag,
    scope: "read",
    responses: { 200: ChecksSettings },
    handle: async () => ok(await getChecksSettings()),
  }),
  PUT: operation({
    id: "updateCheckSettings",
    summary: "Change thresholds and votes of checks, or switch checks and text rules on and off",
    description:
      "Omitted checks, rules and fields do not change. The rules and the learner check unreviewed posts again in the background.",
    tag,
    scope: "manage",
    body: ChecksSettingsUpdate,
    responses: { 200: ChecksSettings },
    handle: async ({ principal, body }) => {
      await changeChecksSettings(principal, body);
      return ok(await getChecksSettings());
    },
  }),
});
