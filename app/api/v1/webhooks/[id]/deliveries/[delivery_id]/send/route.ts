import { ok, operation, routes } from "#lib/http/route.ts";
import { WebhookDelivery } from "#lib/webhooks/schema.ts";
import { sendAgain } from "#lib/webhooks/send-messages.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes(
  "/webhooks/{id}/deliveries/{delivery_id}/send",
  {
    POST: operation({
      id: "sendWebhookDelivery",
      summary: "Send a message to a webhook again",
      description:
        "One more attempt at once, in any state of the message, with the same id and the present secrets and data. A failure is " +
        "repeated as usual. The answer says how it went; `canceled`: nothing is left to tell.",
      tag: "Webhooks",
      scope: "keys",
      ids: ["id"],
      responses: { 200: WebhookDelivery },
      errors: ["webhook_not_found", "message_not_found", "webhook_disabled"],
      handle: async ({ principal, params, raw }) =>
        ok(await sendAgain(principal, params.id, raw.delivery_id ?? "")),
    }),
  },
);
