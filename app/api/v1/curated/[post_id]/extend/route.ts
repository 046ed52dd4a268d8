import { settleOperation } from "#lib/queue/api.ts";
import { routes } from "#lib/http/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/curated/{post_id}/extend", {
  POST: settleOperation(
    "extendReservation",
    "extend",
    "Keep a reservation longer",
    "The lease starts anew from now.",
  ),
});
