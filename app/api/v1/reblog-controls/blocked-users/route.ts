import { blockListOperations } from "#lib/blocking/api.ts";
import { routes } from "#lib/http/route.ts";

const { list, add } = blockListOperations("user");

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/reblog-controls/blocked-users", {
  GET: list,
  POST: add,
});
