import { checkReadiness, State } from "#lib/http/health.ts";
import { ok, openOperation, routes } from "#lib/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/readyz",
  {
    GET: openOperation({
      summary: "Check that the service can answer requests",
      description: "The database is reachable, can write, and has the tables of this version.",
      tag: "Health",
      auth: "none",
      responses: { 200: State },
      errors: ["not_ready", "database_away", "database_unwritable"],
      handle: async () => {
        await checkReadiness();
        return ok({ status: "ready" });
      },
    }),
  },
  "",
);
