import { previewErrors } from "#lib/actions/schema.ts";
import { getSettings, updateSettings } from "#lib/filters/settings.ts";
import { ExportSettings, ExportSettingsUpdate } from "#lib/filters/schema.ts";
import { ok, operation, routes } from "#lib/http/route.ts";

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
    description: "Omitted switches do not change. Applies at once, also to pending posts.",
    tag,
    scope: "manage",
    body: ExportSettingsUpdate,
    responses: { 200: ExportSettings },
    errors: [...previewErrors],
    handle: async ({ principal, body }) => ok(await updateSettings(principal, body)),
  }),
});
