import { routes } from "#lib/accounts/route.ts";
import { asHashtags, streamCollection } from "#lib/collect/api.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/hashtags",
  asHashtags(streamCollection("/hashtags")),
);
