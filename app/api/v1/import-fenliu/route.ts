import { noContent, ok, operation, routes } from "#lib/http/route.ts";
import { ImportState } from "#lib/import-fenliu/schema.ts";
import { discardUpload, readImportState } from "#lib/import-fenliu/uploads.ts";

const one = { tag: "Data", scope: "manage", sessionOnly: true } as const;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/import-fenliu", {
  GET: operation({
    id: "getFenLiuImport",
    ...one,
    summary: "Show the upload and import of FenLiu's database",
    responses: { 200: ImportState },
    errors: ["import_needs_disk"],
    handle: () => Promise.resolve(ok(readImportState())),
  }),
  DELETE: operation({
    id: "discardFenLiuUpload",
    ...one,
    summary: "Delete the uploaded database",
    description: "And the report. What was imported stays.",
    responses: { 204: null },
    errors: ["import_needs_disk", "import_running"],
    handle: () => {
      discardUpload();
      return Promise.resolve(noContent());
    },
  }),
});
