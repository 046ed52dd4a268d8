import { importBlockedUsers } from "#lib/filters/import-blocked-users.ts";
import { previewUserImport } from "#lib/filters/preview-user-import.ts";
import { BlockListImport, ImportQuery, UserImportResult } from "#lib/filters/schema.ts";
import { ok, operation, routes } from "#lib/http/route.ts";

/** A list that meets very many waiting posts takes some seconds. */
export const maxDuration = 60;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/reblog-controls/blocked-users/import",
  {
    POST: operation({
      summary: "Import a list of blocked users",
      description:
        "One account, domain or `*` pattern a line; Mastodon's exports of blocked domains, blocked and muted accounts; " +
        "the CSV of this list, or the file of `GET /export`. Adds what is new and takes nothing off. With `dry_run` it only says what it would do.",
      tag: "Reblog controls",
      scope: "manage",
      query: ImportQuery,
      body: BlockListImport,
      responses: { 200: UserImportResult },
      handle: async ({ principal, query, body }) =>
        ok(
          query.dry_run ? await previewUserImport(body.text) : await importBlockedUsers(principal, body.text),
        ),
    }),
  },
);
