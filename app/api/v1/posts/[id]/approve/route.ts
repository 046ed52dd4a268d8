import { routes } from "#lib/accounts/route.ts";
import { decisionOperation } from "#lib/review/api.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/posts/{id}/approve", {
  POST: decisionOperation(true),
});
