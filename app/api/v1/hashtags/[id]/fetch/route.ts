import { routes } from "#lib/http/route.ts";
import { asHashtags, streamFetch } from "#lib/streams/api.ts";

/** Seconds: 25 of fetching and one running request. */
export const maxDuration = 60;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/hashtags/{id}/fetch",
  asHashtags(streamFetch),
);
