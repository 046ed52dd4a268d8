import { keyStatus } from "#lib/accounts/api-keys.ts";
import { KeyStatus } from "#lib/accounts/key-schema.ts";
import { ok, operation, routes } from "#lib/accounts/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/api-keys/status", {
  GET: operation({
    id: "listApiKeys",
    summary: "List API keys",
    description:
      "The member's own keys, with the scope `manage` all keys. Expired keys are listed, revoked keys are not.",
    tag: "Keys",
    scope: "read",
    responses: { 200: KeyStatus },
    handle: async ({ principal }) => ok(await keyStatus(principal)),
  }),
});
