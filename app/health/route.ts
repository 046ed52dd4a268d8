import { z } from "zod";
import { ok, openOperation, routes } from "#lib/http/route.ts";
import packageJson from "../../package.json" with { type: "json" };

const { version } = packageJson;

const Health = z
  .object({ status: z.literal("healthy"), app: z.string(), version: z.string() })
  .meta({ id: "Health", example: { status: "healthy", app: "Sluice", version } });

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/health",
  {
    GET: openOperation({
      summary: "Check that the process is running",
      tag: "Health",
      auth: "none",
      responses: { 200: Health },
      handle: () => Promise.resolve(ok({ status: "healthy", app: "Sluice", version })),
    }),
  },
  "",
);
