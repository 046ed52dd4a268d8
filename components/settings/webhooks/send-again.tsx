"use client";
import { Button } from "#components/ui/button.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { ApiFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { WebhookDelivery } from "#lib/webhooks/schema.ts";

const w = words.webhooks;

export function SendAgain({ webhookId, id, event }: { webhookId: number; id: string; event: string }) {
  const send = useMutation<void, WebhookDelivery>(
    () => apiFetch(`/webhooks/${webhookId}/deliveries/${id}/send`, { method: "POST" }),
    {
      refresh: ["/webhooks*"],
      onDone: (sent) =>
        sent.state === "delivered"
          ? notifyDone(w.sentAgain)
          : notifyFailed(
              w.notSentAgain,
              new ApiFailure({ status: 0, detail: sent.error ?? w.results[sent.state] }),
            ),
      onFailed: (failure) => notifyFailed(w.refused, failure),
    },
  );
  return (
    <Button
      size="sm"
      pending={send.pending}
      aria-label={w.sendAgainFor(event, id)}
      onClick={() => void send.run()}
    >
      {w.sendAgain}
    </Button>
  );
}
