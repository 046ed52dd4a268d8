import { importBlockedHashtags } from "#lib/filters/import-blocked-hashtags.ts";
import { previewHashtagImport } from "#lib/filters/preview-hashtag-import.ts";
import { BlockListImport, ImportQuery, HashtagImportResult } from "#lib/filters/schema.ts";
import { ok, operation, routes } from "#lib/http/route.ts";

/** A list that meets very many waiting posts takes some seconds. */
export const maxDuration = 60;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/reblog-controls/blocked-hashtags/import",
  {
    POST: operation({
      summary: "Import a list of blocked hashtags",
      description:
        "One hashtag a line, notes behind a comma; the CSV of this list, or the file of `GET /export`. Adds what is new and takes nothing off. " +
        "With `dry_run` it only says what it would do.",
      tag: "Reblog controls",
      scope: "manage",
      query: ImportQuery,
      body: BlockListImport,
      responses: { 200: HashtagImportResult },
      handle: async ({ principal, query, body }) =>
        ok(
          query.dry_run
            ? await previewHashtagImport(body.text)
            : await importBlockedHashtags(principal, body.text),
        ),
    }),
  },
);
