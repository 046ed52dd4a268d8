import { routes } from "#lib/accounts/route.ts";
import { moveOperation } from "#lib/queue/api.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/curated/{post_id}/requeue", {
  POST: moveOperation(
    "requeuePost",
    "requeue",
    "manage",
    "Queue a failed post again",
    "error → pending, at its old place; reason and details stay in the history.",
  ),
});
