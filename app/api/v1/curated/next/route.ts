import { nextOperation } from "#lib/queue/api.ts";
import { routes } from "#lib/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/curated/next", {
  GET: nextOperation,
});
