import { describeBackups } from "#lib/backup-status.ts";
import { describeWorker } from "#lib/http/health.ts";
import { measurements, measurementsType } from "#lib/http/measure.ts";
import { operation, raw, routes } from "#lib/http/route.ts";
import { describeStats } from "#lib/stats/describe-stats.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/metrics",
  {
    GET: operation({
      id: "getMetrics",
      summary: "Figures for Prometheus",
      description:
        "At the root, not below `/api/v1`. Of the web process that answers, and of the service as a whole. Give the key as `authorization: " +
        "{ credentials: … }` in the scrape configuration.",
      tag: "Health",
      scope: "manage",
      contentType: "text/plain",
      responses: { 200: null },
      handle: async () =>
        raw(
          (await measurements()) + (await describeStats()) + (await describeWorker()) + describeBackups(),
          measurementsType,
        ),
    }),
  },
  "",
);
