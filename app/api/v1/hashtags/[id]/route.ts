import { routes } from "#lib/accounts/route.ts";
import { asHashtags, streamItem } from "#lib/collect/api.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/hashtags/{id}",
  asHashtags(streamItem),
);
