import { ok, operation, routes } from "#lib/http/route.ts";
import { WebhookDelivery } from "#lib/webhooks/schema.ts";
import { sendTest } from "#lib/webhooks/send-messages.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/webhooks/{id}/test", {
  POST: operation({
    id: "testWebhook",
    summary: "Send a test message to a webhook",
    description: "Sent at once and once, also while the webhook is off. The answer says how it went.",
    tag: "Webhooks",
    scope: "keys",
    ids: ["id"],
    responses: { 200: WebhookDelivery },
    errors: ["webhook_not_found"],
    handle: async ({ principal, params }) => ok(await sendTest(principal, params.id)),
  }),
});
