import { generateKey } from "#lib/accounts/api-keys.ts";
import { GeneratedKey, KeyGenerate } from "#lib/accounts/key-schema.ts";
import { created, operation, routes } from "#lib/accounts/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/api-keys/generate", {
  POST: operation({
    id: "generateApiKey",
    summary: "Generate an API key",
    description: "The key is not shown again. A key cannot generate a key with more scopes than its own.",
    tag: "Keys",
    scope: "keys",
    body: KeyGenerate,
    bodyOptional: true,
    responses: { 201: GeneratedKey },
    handle: async ({ principal, body }) => created(await generateKey(principal, body)),
  }),
});
