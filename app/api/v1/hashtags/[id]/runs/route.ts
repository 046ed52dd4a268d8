import { routes } from "#lib/accounts/route.ts";
import { asHashtags, streamRuns } from "#lib/collect/api.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/hashtags/{id}/runs",
  asHashtags(streamRuns),
);
