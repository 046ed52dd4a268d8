import { z } from "zod";
import { exportBlockedUsers } from "#lib/filters/export-block-lists.ts";
import { csvReply } from "#lib/http/csv.ts";
import { operation, routes } from "#lib/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/reblog-controls/blocked-users.csv", {
  GET: operation({
    summary: "Export the blocked users",
    description:
      "In order of id, as the import reads it. Cells that a spreadsheet would run as a formula are escaped.",
    tag: "Reblog controls",
    scope: "read",
    responses: { 200: z.string() },
    contentType: "text/csv",
    handle: () => Promise.resolve(csvReply("blocked-users.csv", exportBlockedUsers())),
  }),
});
