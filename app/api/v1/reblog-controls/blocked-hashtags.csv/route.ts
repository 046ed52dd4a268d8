import { blockListOperations } from "#lib/blocking/api.ts";
import { routes } from "#lib/http/route.ts";

const { csv } = blockListOperations("hashtag");

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/reblog-controls/blocked-hashtags.csv",
  { GET: csv },
);
