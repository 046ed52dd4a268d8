import { z } from "zod";
import { ok, operation, routes } from "#lib/http/route.ts";
import { WebhookDelivery } from "#lib/webhooks/schema.ts";
import { listDeliveries } from "#lib/webhooks/webhooks.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/webhooks/{id}/deliveries", {
  GET: operation({
    id: "listWebhookDeliveries",
    summary: "List the messages to a webhook",
    description: "The newest 100, newest first. Messages are kept for 30 days.",
    tag: "Webhooks",
    scope: "keys",
    boundKeys: "none",
    ids: ["id"],
    responses: { 200: z.array(WebhookDelivery) },
    errors: ["webhook_not_found"],
    handle: async ({ principal, params }) => ok(await listDeliveries(principal, params.id)),
  }),
});
