import { ok, operation, routes } from "#lib/accounts/route.ts";
import { Log, LogQuery } from "#lib/review/log-schema.ts";
import { listLog } from "#lib/review/log.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/audit", {
  GET: operation({
    id: "listLog",
    summary: "Read the log",
    description:
      "Decisions about posts, and changes to streams, filters, settings, members and keys, newest first. A batch is one entry. E-mail addresses are shown to admins and keys with `manage`.",
    tag: "Logs",
    scope: "read",
    query: LogQuery,
    responses: { 200: Log },
    handle: async ({ principal, query }) => ok(await listLog(principal, query)),
  }),
});
