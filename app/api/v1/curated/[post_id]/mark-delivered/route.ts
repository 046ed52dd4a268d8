import { routes } from "#lib/accounts/route.ts";
import { moveOperation } from "#lib/queue/api.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/curated/{post_id}/mark-delivered", {
  POST: moveOperation(
    "markPostDelivered",
    "mark_delivered",
    "review",
    "Mark a failed post as delivered",
    "error → delivered, for a post that was boosted although its ack was lost.",
  ),
});
