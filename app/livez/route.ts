import { State } from "#lib/http/health.ts";
import { ok, openOperation, routes } from "#lib/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/livez",
  {
    GET: openOperation({
      summary: "Is the process alive?",
      description: "Asks nothing but the process itself: restarting it would not bring the database back.",
      tag: "Health",
      auth: "none",
      responses: { 200: State },
      handle: () => Promise.resolve(ok({ status: "alive" })),
    }),
  },
  "",
);
