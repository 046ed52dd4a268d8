import { operation, raw, routes } from "#lib/accounts/route.ts";
import { env } from "#lib/base/env.ts";
import { measurementsType } from "#lib/base/http/measure.ts";
import { readMetrics } from "#lib/stats/read-metrics.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/metrics",
  {
    GET: operation({
      id: "getMetrics",
      summary: "Figures for Prometheus",
      description:
        "At the root, not below `/api/v1`. Of the web process that answers, and of the service as a whole. Give a key with `manage`, or the setting METRICS_TOKEN, " +
        "as `authorization: { credentials: … }` in the scrape configuration. With the token it also answers while the " +
        "database is away: `sluice_database_up` is 0, and metrics of the database are absent.",
      tag: "Health",
      scope: "manage",
      token: () => env().METRICS_TOKEN,
      contentType: "text/plain",
      responses: { 200: null },
      handle: async () => raw(await readMetrics(), measurementsType),
    }),
  },
  "",
);
