import { z } from "zod";
import { operation, routes } from "#lib/accounts/route.ts";
import { csvReply } from "#lib/base/http/csv.ts";
import { blockedUsersCsv } from "#lib/blocking/block-lists.ts";
import { CsvQuery } from "#lib/blocking/schema.ts";

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
    handle: async ({ query: { form } }) => csvReply("blocked-users.csv", await blockedUsersCsv(form)),
  }),
});
