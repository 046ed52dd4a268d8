import { settleOperation } from "#lib/queue/api.ts";
import { routes } from "#lib/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/curated/{post_id}/ack", {
  POST: settleOperation("ackPost", "ack", "Confirm delivery", "The post was boosted: reserved → delivered."),
});
