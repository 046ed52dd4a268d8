import { routes } from "#lib/http/route.ts";
import { asHashtags, streamCollection } from "#lib/streams/api.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/hashtags",
  asHashtags(streamCollection("/hashtags")),
);
