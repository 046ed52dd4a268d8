import { z } from "zod";
import { ok, operation, routes } from "#lib/accounts/route.ts";
import { asOfQuery } from "#lib/base/http/common-fields.ts";
import { ExportSettings, ExportSettingsUpdate, SwitchesChanged } from "#lib/blocking/schema.ts";
import { countSettings, getSettings, updateSettings } from "#lib/blocking/switches.ts";

const tag = "Blocking";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/reblog-controls/settings", {
  GET: operation({
    id: "getExportSettings",
    summary: "Get the export settings",
    tag,
    scope: "read",
    responses: { 200: ExportSettings },
    handle: async () => ok(await getSettings()),
  }),
  PUT: operation({
    id: "updateExportSettings",
    summary: "Change the export settings",
    description:
      "Omitted switches do not change. Applies at once: approved posts are held or released; posts that wait for review are rejected by a switch that rejects on fetch, and returned when it is switched off.",
    tag,
    scope: "manage",
    dryRun: "Return the number of posts that it would change, without changing anything.",
    query: z.object({ as_of: asOfQuery }),
    body: ExportSettingsUpdate,
    responses: { 200: SwitchesChanged },
    handle: async ({ principal, dryRun, body, query }) =>
      ok(await (dryRun ? countSettings(body) : updateSettings(principal, body, query.as_of))),
  }),
});
