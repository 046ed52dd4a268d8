import { ok, operation, routes } from "#lib/http/route.ts";
import { describeOwnKey } from "#lib/keys/api-keys.ts";
import { OwnKey } from "#lib/keys/schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/api-keys/self", {
  GET: operation({
    id: "getOwnApiKey",
    summary: "Get the API key of the request",
    description: "For programs that check their key. A session has none: 404.",
    tag: "Keys",
    scope: null,
    responses: { 200: OwnKey },
    errors: ["api_key_not_found"],
    handle: async ({ principal }) => ok(await describeOwnKey(principal)),
  }),
});
