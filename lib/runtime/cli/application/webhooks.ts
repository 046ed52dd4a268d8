import { getWebhook, listWebhooks } from "#lib/webhooks/webhooks.ts";
import { sendTest } from "#lib/webhooks/send-messages.ts";
import { type ApplicationCommand, parseId, table } from "./reply.ts";

/** Reaches the webhooks of all members. */
const everybody = { scopes: ["manage"], member_id: 0 } as const;

export const webhookCommands: Record<string, ApplicationCommand> = {
  "test-webhook": async ({ values: { id } }) => {
    const webhooks =
      id === undefined ? await listWebhooks(everybody) : [await getWebhook(everybody, parseId(id))];
    const items = [];
    for (const webhook of webhooks)
      items.push({ webhook_id: webhook.id, ...(await sendTest(everybody, webhook.id)) });
    const rows = items.map(({ webhook_id, state, status, error }, index) => [
      String(webhook_id),
      webhooks[index]?.name ?? "",
      webhooks[index]?.url ?? "",
      state,
      status === null ? (error ?? "") : `${status}`,
    ]);
    const lines =
      items.length === 0
        ? ["There is no webhook."]
        : table(["Id", "Name", "Address", "Message", "Answer"], rows);
    return { data: { items }, lines, isFailure: items.some(({ state }) => state !== "delivered") };
  },
};
