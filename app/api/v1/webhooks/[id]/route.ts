import { atLeastOneKey } from "#lib/http/fields.ts";
import { noContent, ok, operation, routes } from "#lib/http/route.ts";
import { Webhook, WebhookUpdate } from "#lib/webhooks/schema.ts";
import { deleteWebhook, updateWebhook } from "#lib/webhooks/webhooks.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routes("/webhooks/{id}", {
  PATCH: operation({
    id: "updateWebhook",
    summary: "Change a webhook, or switch it off and on",
    tag: "Webhooks",
    scope: "keys",
    ids: ["id"],
    body: atLeastOneKey(WebhookUpdate),
    responses: { 200: Webhook },
    errors: ["webhook_not_found"],
    handle: async ({ principal, params, body }) => ok(await updateWebhook(principal, params.id, body)),
  }),
  DELETE: operation({
    id: "deleteWebhook",
    summary: "Delete a webhook and its log",
    tag: "Webhooks",
    scope: "keys",
    ids: ["id"],
    responses: { 204: null },
    errors: ["webhook_not_found"],
    handle: async ({ principal, params }) => {
      await deleteWebhook(principal, params.id);
      return noContent();
    },
  }),
});
