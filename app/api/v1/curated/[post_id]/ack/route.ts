import { routes } from "#lib/accounts/route.ts";
import { settleOperation } from "#lib/queue/api.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/curated/{post_id}/ack", {
  POST: settleOperation("ackPost", "ack", "Confirm delivery", "The post was boosted: reserved → delivered."),
});
