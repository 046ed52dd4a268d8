import { z } from "zod";
import { ok, operation, routes } from "#lib/http/route.ts";
import { examine } from "#lib/runtime/doctor/examine.ts";
import { Doctor } from "#lib/runtime/doctor/schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/doctor", {
  GET: operation({
    id: "runDoctor",
    summary: "Check the installation",
    description:
      "The checks of `npm run sluice -- doctor`, in the web process. It takes up to ten seconds: a server of the fediverse, the mail server and the public address are asked.",
    tag: "Health",
    scope: "manage",
    sessionOnly: true,
    query: z.object({
      origin: z.url().max(300).optional().meta({
        description: "Origin of the page in the browser, which is compared with `PUBLIC_URL`.",
        example: "https://sluice.example",
      }),
    }),
    responses: { 200: Doctor },
    errors: ["doctor_unavailable"],
    handle: async ({ request, query }) => ok(await examine(request.headers, query.origin)),
  }),
});
