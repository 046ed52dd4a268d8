import { z } from "zod";
import "#app/api/v1/all-routes.ts";
import { openApiDocument } from "#lib/base/http/openapi.ts";
import { ok, operation, routes } from "#lib/accounts/route.ts";

// Routes are declared at start, so the document never changes.
let document: Record<string, unknown> | undefined;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/openapi.json", {
  GET: operation({
    id: "getOpenApi",
    summary: "This document",
    tag: "Health",
    auth: "none",
    responses: { 200: z.record(z.string(), z.unknown()).describe("An OpenAPI 3.1 document.") },
    handle: () => Promise.resolve(ok((document ??= openApiDocument()))),
  }),
});
