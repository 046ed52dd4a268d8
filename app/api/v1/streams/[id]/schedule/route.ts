import { routes } from "#lib/http/route.ts";
import { streamSchedule } from "#lib/streams/api.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/streams/{id}/schedule",
  streamSchedule,
);
