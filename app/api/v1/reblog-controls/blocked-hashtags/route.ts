import { routes } from "#lib/accounts/route.ts";
import { blockListOperations } from "#lib/blocking/api.ts";

const { list, add } = blockListOperations("hashtag");

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/reblog-controls/blocked-hashtags", {
  GET: list,
  POST: add,
});
