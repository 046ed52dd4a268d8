import { routes } from "#lib/accounts/route.ts";
import { settleOperation } from "#lib/queue/api.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/curated/{post_id}/extend", {
  POST: settleOperation(
    "extendReservation",
    "extend",
    "Keep a reservation longer",
    "The lease starts anew from now.",
  ),
});
