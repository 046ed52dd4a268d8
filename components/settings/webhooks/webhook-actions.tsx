"use client";
import { Button } from "#components/ui/button.tsx";
import { AlertDialog } from "#components/ui/dialog.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { ApiFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { Webhook, WebhookDelivery, WebhookWithSecret } from "#lib/webhooks/schema.ts";
import { WebhookDialog } from "./webhook-dialog.tsx";

const w = words.webhooks;
const refresh = ["/webhooks*"];

export function WebhookActions({
  webhook,
  onSecret,
  isLogShown,
  onLog,
}: {
  webhook: Webhook;
  onSecret: (webhook: WebhookWithSecret) => void;
  isLogShown: boolean;
  onLog: () => void;
}) {
  const { id, name } = webhook;
  const onFailed = (failure: Parameters<typeof notifyFailed>[1]) => notifyFailed(w.refused, failure);
  const test = useMutation<void, WebhookDelivery>(
    () => apiFetch(`/webhooks/${id}/test`, { method: "POST" }),
    {
      refresh,
      onDone: (sent) =>
        sent.state === "delivered"
          ? notifyDone(w.testSent(name))
          : notifyFailed(w.testFailed(name), new ApiFailure({ status: 0, detail: sent.error ?? w.noAnswer })),
      onFailed,
    },
  );
  const rotate = useMutation<void, WebhookWithSecret>(
    () => apiFetch(`/webhooks/${id}/rotate-secret`, { method: "POST" }),
    { refresh, onDone: onSecret, onFailed },
  );
  const remove = useMutation<void>(() => apiFetch(`/webhooks/${id}`, { method: "DELETE" }), {
    refresh,
    onDone: () => notifyDone(w.removed(name)),
    onFailed,
  });
  return (
    <span className="flex flex-wrap gap-2 desk:justify-end">
      <Button size="sm" pending={test.pending} aria-label={w.testFor(name)} onClick={() => void test.run()}>
        {w.test}
      </Button>
      <Button size="sm" aria-label={w.logOf(name)} aria-expanded={isLogShown} onClick={onLog}>
        {w.log}
      </Button>
      <WebhookDialog
        webhook={webhook}
        trigger={
          <Button size="sm" aria-label={w.editFor(name)}>
            {w.edit}
          </Button>
        }
      />
      <AlertDialog
        title={w.rotateFor(name)}
        description={w.rotateHint}
        confirm={w.rotate}
        onConfirm={() => void rotate.run()}
        pending={rotate.pending}
        trigger={
          <Button size="sm" aria-label={w.rotateFor(name)}>
            {w.rotate}
          </Button>
        }
      />
      <AlertDialog
        title={w.removeFor(name)}
        description={w.removeHint}
        confirm={w.remove}
        onConfirm={() => void remove.run()}
        pending={remove.pending}
        trigger={
          <Button size="sm" variant="danger" aria-label={w.removeFor(name)}>
            {w.remove}
          </Button>
        }
      />
    </span>
  );
}
