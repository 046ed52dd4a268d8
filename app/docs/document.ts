import "#app/api/v1/all-routes.ts";
import type { OpenApi } from "#components/docs/openapi.ts";
import { openApiDocument } from "#lib/base/http/openapi.ts";

let document: OpenApi | undefined;

export function openApi(): OpenApi {
  return (document ??= openApiDocument() as unknown as OpenApi);
}

/** Sections without a page of their own; their operations are in the list of all operations. */
export const rareTags = ["Aliases", "Health", "Profile"];
