import { z } from "zod";
import { ok, operation, routes } from "#lib/accounts/route.ts";
import { asOfQuery } from "#lib/base/http/common-fields.ts";
import { countImport, importBlocks } from "#lib/blocking/blocks.ts";
import { BlockListImport, UserImportResult } from "#lib/blocking/schema.ts";

/** Seconds, for an import that matches many posts. */
export const maxDuration = 60;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/reblog-controls/blocked-users/import",
  {
    POST: operation({
      id: "importBlockedUsers",
      summary: "Import a list of blocked users",
      description:
        "One account, domain, `*.host` or `*@host` a line; Mastodon's exports of blocked domains, blocked and muted " +
        "accounts; the CSV of this list. Commas, semicolons or tabs. An export of followed accounts is refused. Adds new " +
        "entries and removes none. With `dry_run` nothing is changed, only the counts are returned.",
      tag: "Blocking",
      scope: "manage",
      dryRun: "Return the counts without changing anything.",
      query: z.object({ as_of: asOfQuery }),
      body: BlockListImport,
      responses: { 200: UserImportResult },
      handle: async ({ principal, dryRun, body, query }) =>
        ok(await (dryRun ? countImport(body.text) : importBlocks(principal, body, query.as_of))),
    }),
  },
);
