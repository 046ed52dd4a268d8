import { ok, operation, routes } from "#lib/http/route.ts";
import { WebhookWithSecret } from "#lib/webhooks/schema.ts";
import { rotateSecret } from "#lib/webhooks/webhooks.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/webhooks/{id}/rotate-secret", {
  POST: operation({
    id: "rotateWebhookSecret",
    summary: "Replace the secret of a webhook",
    description: "For a day messages have two signatures, with the new and with the former secret.",
    tag: "Webhooks",
    scope: "keys",
    ids: ["id"],
    responses: { 200: WebhookWithSecret },
    errors: ["webhook_not_found"],
    handle: async ({ principal, params }) => ok(await rotateSecret(principal, params.id)),
  }),
});
