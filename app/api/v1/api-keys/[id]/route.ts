import { ok, operation, routes } from "#lib/http/route.ts";
import { updateKey } from "#lib/keys/api-keys.ts";
import { keyFigures } from "#lib/keys/key-page.ts";
import { ApiKey, KeyFigures, KeyFiguresQuery, KeyUpdate } from "#lib/keys/schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/api-keys/{id}", {
  GET: operation({
    id: "getApiKey",
    summary: "Get an API key and its figures",
    description:
      "Ended reservations by UTC day and result, the posts that it holds, and those that it would get next. Keys of other " +
      "members need the scope `manage`.",
    tag: "Keys",
    scope: "read",
    ids: ["id"],
    query: KeyFiguresQuery,
    responses: { 200: KeyFigures },
    errors: ["api_key_not_found"],
    handle: async ({ principal, params, query }) => ok(await keyFigures(principal, params.id, query.days)),
  }),
  PATCH: operation({
    id: "updateApiKey",
    summary: "Choose whether the checks learn from reviews with an API key",
    description: "Applies to earlier reviews, too. A key that is not learnt from cannot change this.",
    tag: "Keys",
    scope: "keys",
    ids: ["id"],
    body: KeyUpdate,
    responses: { 200: ApiKey },
    errors: ["api_key_not_found"],
    handle: async ({ principal, params, body }) => ok(await updateKey(principal, params.id, body)),
  }),
});
