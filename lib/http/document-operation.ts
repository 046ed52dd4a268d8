import { z } from "zod";
import { openApiDocument } from "./openapi.ts";
import { ok, openOperation } from "./route.ts";

let made: Record<string, unknown> | undefined;

export const documentOperation = openOperation({
  summary: "This document",
  tag: "Health",
  auth: "none",
  responses: { 200: z.record(z.string(), z.unknown()).meta({ description: "An OpenAPI 3.1 document." }) },
  // The routes are declared once and for all when the process starts, so it is made once.
  handle: () => Promise.resolve(ok((made ??= openApiDocument()))),
});
