import "#app/api/v1/all-routes.ts";
import type { OpenApi } from "#components/docs/openapi.ts";
import { openApiDocument } from "#lib/base/http/openapi.ts";

let document: OpenApi | undefined;

export function openApi(): OpenApi {
  return (document ??= openApiDocument() as unknown as OpenApi);
}

/** Sections that stand among all operations only. */
export const rareTags = ["Aliases", "Health", "Profile"];
