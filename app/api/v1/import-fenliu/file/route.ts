import type { ReadableStream } from "node:stream/web";
import { ok, operation, routes } from "#lib/http/route.ts";
import { ImportState, UploadQuery } from "#lib/import-fenliu/schema.ts";
import { appendUpload } from "#lib/import-fenliu/uploads.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/import-fenliu/file", {
  PUT: operation({
    id: "uploadFenLiuPart",
    summary: "Upload a part of FenLiu's database",
    description:
      "The body has at most 1 MiB of the file, as bytes. Parts are sent in order; after an interruption `uploaded` of " +
      "`GET /import-fenliu` is the next offset. Offset 0 begins a new upload and deletes a former one.",
    tag: "Data",
    scope: "manage",
    sessionOnly: true,
    query: UploadQuery,
    responses: { 200: ImportState },
    errors: ["import_needs_disk", "import_running", "upload_out_of_order", "bad_request"],
    handle: async ({ query, request }) =>
      ok(await appendUpload(query, request.body as ReadableStream<Uint8Array> | null)),
  }),
});
