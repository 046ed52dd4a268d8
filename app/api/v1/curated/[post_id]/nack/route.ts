import { routes } from "#lib/accounts/route.ts";
import { settleOperation } from "#lib/queue/api.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/curated/{post_id}/nack", {
  POST: settleOperation(
    "nackPost",
    "nack",
    "Return a post",
    "The post was not used: reserved → pending, offered again later.",
  ),
});
