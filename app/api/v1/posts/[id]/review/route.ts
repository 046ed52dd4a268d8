import { routes } from "#lib/http/route.ts";
import { reviewOperation } from "#lib/review/post-api.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/posts/{id}/review", {
  POST: reviewOperation,
});
