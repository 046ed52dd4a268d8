import { routes } from "#lib/http/route.ts";
import { generateOperation } from "#lib/keys/api.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/api-keys/generate", {
  POST: generateOperation,
});
