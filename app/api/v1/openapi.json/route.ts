import "#app/api/v1/all-routes.ts";
import { documentOperation } from "#lib/http/document-operation.ts";
import { routes } from "#lib/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/openapi.json", {
  GET: documentOperation,
});
