import { blockListOperations } from "#lib/blocking/api.ts";
import { routes } from "#lib/http/route.ts";

/** Seconds, for an import that matches many posts. */
export const maxDuration = 60;

const operations = blockListOperations("user");

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/reblog-controls/blocked-users/import",
  { POST: operations.import },
);
