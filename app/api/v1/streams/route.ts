import { routes } from "#lib/accounts/route.ts";
import { streamCollection } from "#lib/collect/api.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/streams",
  streamCollection("/streams"),
);
