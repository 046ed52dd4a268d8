import { routes } from "#lib/http/route.ts";
import { asHashtags, streamPreview } from "#lib/streams/api.ts";

/** Seconds: 15 of requests and a margin. */
export const maxDuration = 30;

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/hashtags/preview",
  asHashtags(streamPreview),
);
