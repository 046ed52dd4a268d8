import { z } from "zod";
import { ok, operation, routes } from "#lib/accounts/route.ts";
import { requireCronSecret, tick } from "#lib/runtime/jobs/cron-call.ts";

export const maxDuration = 60;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/api/cron/tick",
  {
    GET: operation({
      summary: "Run due background work",
      description:
        "For a scheduler that sends the CRON_SECRET: fetches due streams and does all other background work.",
      tag: "Scheduler",
      auth: "none",
      noHead: true,
      responses: { 200: z.object({ worked: z.boolean() }) },
      errors: ["cron_secret_wrong", "cron_closed"],
      handle: async ({ request }) => {
        requireCronSecret(request);
        return ok(await tick());
      },
    }),
  },
  "",
);
