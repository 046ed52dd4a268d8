import { routes } from "#lib/http/route.ts";
import { asHashtags, streamRuns } from "#lib/streams/api.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/hashtags/{id}/runs",
  asHashtags(streamRuns),
);
