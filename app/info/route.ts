import { z } from "zod";
import { env } from "#lib/env.ts";
import { ok, openOperation, routes } from "#lib/http/route.ts";
import packageJson from "../../package.json" with { type: "json" };

const { description, license, version } = packageJson;

const Info = z
  .object({
    app: z.string(),
    version: z.string(),
    description: z.string(),
    license: z.string(),
    source_url: z
      .string()
      .nullable()
      .meta({ description: "Address of the source code of this service, or null." }),
    api: z.string().meta({ description: "Path of the API." }),
    openapi: z.string().meta({ description: "Path of the OpenAPI document." }),
    docs: z.string().meta({ description: "Path of the API reference." }),
  })
  .meta({ id: "Info" });

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/info",
  {
    GET: openOperation({
      summary: "Name and version of the service",
      tag: "Health",
      auth: "none",
      responses: { 200: Info },
      handle: () =>
        Promise.resolve(
          ok({
            app: "Sluice",
            version,
            description,
            license,
            source_url: env().SOURCE_URL ?? null,
            api: "/api/v1",
            openapi: "/api/v1/openapi.json",
            docs: "/docs",
          }),
        ),
    }),
  },
  "",
);
