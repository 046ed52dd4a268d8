import { ok, operation, routes } from "#lib/http/route.ts";
import { keyStatus } from "#lib/keys/api-keys.ts";
import { KeyStatus } from "#lib/keys/schema.ts";

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
