import { z } from "zod";
import { exportCsv } from "#lib/filters/block-lists.ts";
import { mastodonCsv } from "#lib/filters/mastodon-lists.ts";
import { CsvQuery } from "#lib/filters/schema.ts";
import { csvReply } from "#lib/http/csv.ts";
import { operation, routes } from "#lib/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/reblog-controls/blocked-users.csv", {
  GET: operation({
    id: "exportBlockedUsers",
    summary: "Export the blocked users",
    description:
      "In order of id, in the format of the import. Cells that a spreadsheet would run as a formula are escaped.",
    tag: "Blocking",
    scope: "read",
    query: CsvQuery,
    responses: { 200: z.string() },
    contentType: "text/csv",
    handle: ({ query: { form } }) =>
      Promise.resolve(csvReply("blocked-users.csv", form === undefined ? exportCsv() : mastodonCsv(form))),
  }),
});
