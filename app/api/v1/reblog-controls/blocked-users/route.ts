import { routes } from "#lib/accounts/route.ts";
import { blockListOperations } from "#lib/blocking/api.ts";

const { list, add } = blockListOperations("user");

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/reblog-controls/blocked-users", {
  GET: list,
  POST: add,
});
