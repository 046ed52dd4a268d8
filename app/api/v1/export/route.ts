import { ok, operation, routes } from "#lib/http/route.ts";
import { exportEverything } from "#lib/takeout/export-everything.ts";
import { Takeout } from "#lib/takeout/schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/export", {
  GET: operation({
    id: "exportEverything",
    summary: "Export all data entered by members",
    description:
      "Streams, switches, block lists, topical rules, text rules and words, saved filters, authors' standings, " +
      "members and keys, as one file without any secret. The imports of the block lists read it. Each export is a line in the audit log.",
    tag: "Data",
    scope: "manage",
    noHead: true,
    responses: { 200: Takeout },
    headers: { 200: { "Content-Disposition": "A file name with the day." } },
    errors: ["key_bound"],
    handle: async ({ principal }) => {
      const all = await exportEverything(principal);
      const day = all.exported_at.slice(0, 10);
      return ok(all, { "Content-Disposition": `attachment; filename="sluice-${day}.json"` });
    },
  }),
});
