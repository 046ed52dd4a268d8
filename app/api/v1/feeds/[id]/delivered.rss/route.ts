import { routes } from "#lib/http/route.ts";
import { feedOperation } from "#lib/keys/api.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/feeds/{id}/delivered.rss", {
  GET: feedOperation("rss"),
});
