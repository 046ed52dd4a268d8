import { z } from "zod";
import { created, ok, operation, routes } from "#lib/http/route.ts";
import { webhookMessages } from "#lib/webhooks/message-schema.ts";
import { Webhook, WebhookCreate, WebhookWithSecret } from "#lib/webhooks/schema.ts";
import { createWebhook, listWebhooks } from "#lib/webhooks/webhooks.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/webhooks", {
  GET: operation({
    id: "listWebhooks",
    summary: "List webhooks",
    description: "Those of the member's own keys, with `manage` all; newest first.",
    tag: "Webhooks",
    scope: "keys",
    boundKeys: "none",
    responses: { 200: z.array(Webhook) },
    handle: async ({ principal }) => ok(await listWebhooks(principal)),
  }),
  POST: operation({
    id: "createWebhook",
    summary: "Add a webhook",
    description:
      "Messages are signed as in Standard Webhooks. The answer has the secret, which is not shown again. A webhook " +
      "without a key is told about every stream. That, and a key of another member, needs the scope `manage`.",
    tag: "Webhooks",
    scope: "keys",
    body: WebhookCreate,
    webhooks: webhookMessages,
    responses: { 201: WebhookWithSecret },
    errors: ["webhook_limit"],
    handle: async ({ principal, body }) => created(await createWebhook(principal, body)),
  }),
});
