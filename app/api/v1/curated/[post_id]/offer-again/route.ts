import { moveOperation } from "#lib/queue/api.ts";
import { routes } from "#lib/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/curated/{post_id}/offer-again", {
  POST: moveOperation(
    "offerPostAgain",
    "offer_again",
    "manage",
    "Offer a kept-back post at once",
    "Forgets the refusals that kept a pending post back.",
  ),
});
