import { ok, operation, routes } from "#lib/http/route.ts";
import { ImportStart, ImportState } from "#lib/import-fenliu/schema.ts";
import { startUploadedImport } from "#lib/import-fenliu/uploads.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/import-fenliu/start", {
  POST: operation({
    id: "startFenLiuImport",
    summary: "Start a dry run or the import of the uploaded database",
    description: "The worker does it in the background, and goes on after a restart. One at a time.",
    tag: "Data",
    scope: "manage",
    sessionOnly: true,
    body: ImportStart,
    responses: { 200: ImportState },
    errors: ["import_needs_disk", "import_running", "bad_request"],
    handle: async ({ principal, body }) => ok(await startUploadedImport(principal, body.dry_run)),
  }),
});
