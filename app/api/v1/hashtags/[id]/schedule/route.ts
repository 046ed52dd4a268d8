import { routes } from "#lib/http/route.ts";
import { asHashtags, streamSchedule } from "#lib/streams/api.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/hashtags/{id}/schedule",
  asHashtags(streamSchedule),
);
