import { ok, operation, routes } from "#lib/http/route.ts";
import { rotateKey } from "#lib/keys/api-keys.ts";
import { GeneratedKey } from "#lib/keys/schema.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/api-keys/{id}/rotate", {
  POST: operation({
    id: "rotateApiKey",
    summary: "Replace the secret of an API key",
    description:
      "The former secret stops at once. Id, scopes, streams, expiry, figures and reservations of the key stay, so the " +
      "consumer goes on with the new secret. A key cannot rotate a stronger key. Keys of other members cannot be rotated, only revoked.",
    tag: "Keys",
    scope: "keys",
    ids: ["id"],
    responses: { 200: GeneratedKey },
    errors: ["api_key_not_found", "validation"],
    handle: async ({ principal, params }) => ok(await rotateKey(principal, params.id)),
  }),
});
