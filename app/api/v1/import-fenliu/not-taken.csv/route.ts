import { csvReply } from "#lib/http/csv.ts";
import { operation, routes } from "#lib/http/route.ts";
import { notTakenCsv } from "#lib/import-fenliu/uploads.ts";
import { z } from "zod";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/import-fenliu/not-taken.csv", {
  GET: operation({
    id: "exportFenLiuNotTaken",
    summary: "Export the rows that the latest dry run or import did not take",
    tag: "Data",
    scope: "manage",
    sessionOnly: true,
    responses: { 200: z.string() },
    contentType: "text/csv",
    errors: ["import_needs_disk"],
    handle: () => Promise.resolve(csvReply("not-taken.csv", notTakenCsv())),
  }),
});
