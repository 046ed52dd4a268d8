import { routes } from "#lib/http/route.ts";
import { statusOperation } from "#lib/keys/api.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/api-keys/status", {
  GET: statusOperation,
});
