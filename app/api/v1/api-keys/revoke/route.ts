import { revokeKey } from "#lib/accounts/api-keys.ts";
import { KeyRevoke, Revoked } from "#lib/accounts/key-schema.ts";
import { ok, operation, routes } from "#lib/accounts/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/api-keys/revoke", {
  POST: operation({
    id: "revokeApiKey",
    summary: "Revoke an API key",
    description:
      "Takes effect on the next request of the key. Without a body it revokes the only active key.",
    tag: "Keys",
    scope: "keys",
    body: KeyRevoke,
    bodyOptional: true,
    responses: { 200: Revoked },
    errors: ["api_key_not_found", "several_keys"],
    handle: async ({ principal, body }) => ok(await revokeKey(principal, body.id)),
  }),
});
