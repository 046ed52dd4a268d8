import { routes } from "#lib/accounts/route.ts";
import { media } from "#lib/media/operations.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/avatar/{id}",
  { GET: media.avatar },
  "/media",
);
