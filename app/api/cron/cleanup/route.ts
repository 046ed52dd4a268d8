import { z } from "zod";
import { ok, operation, routes } from "#lib/accounts/route.ts";
import { cleanUp, requireCronSecret } from "#lib/runtime/jobs/cron-call.ts";

export const maxDuration = 60;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/api/cron/cleanup",
  {
    GET: operation({
      summary: "Delete delivered posts older than RETENTION_DAYS",
      description: "For a scheduler that sends the CRON_SECRET. A repeated call changes nothing.",
      tag: "Scheduler",
      auth: "none",
      noHead: true,
      responses: { 200: z.object({ deleted: z.int() }) },
      errors: ["cron_secret_wrong", "cron_closed"],
      handle: async ({ request }) => {
        requireCronSecret(request);
        return ok(await cleanUp());
      },
    }),
  },
  "",
);
