import { blockListOperations } from "#lib/blocking/api.ts";
import { routes } from "#lib/http/route.ts";

const { list, add } = blockListOperations("hashtag");

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/reblog-controls/blocked-hashtags", {
  GET: list,
  POST: add,
});
