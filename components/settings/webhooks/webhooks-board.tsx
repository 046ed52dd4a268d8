"use client";
import { Check, Plus } from "lucide-react";
import { useState } from "react";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { CopyField } from "#components/ui/copy.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { EmptyState, ErrorState } from "#components/ui/states.tsx";
import { words } from "#components/words/en.ts";
import { useApi } from "#lib/client/use-api.ts";
import type { Webhook, WebhookWithSecret } from "#lib/webhooks/schema.ts";
import { DeliveryLog } from "./delivery-log.tsx";
import { WebhookActions } from "./webhook-actions.tsx";
import { WebhookDialog, type NamedKey } from "./webhook-dialog.tsx";

const w = words.webhooks;

export function WebhooksBoard({ webhooks, keys }: { webhooks: Webhook[]; keys: NamedKey[] }) {
  const { data = webhooks, failure, reload } = useApi<Webhook[]>("/webhooks", { fallback: webhooks });
  const [fresh, setFresh] = useState<WebhookWithSecret>();
  const [shown, setShown] = useState<number>();
  const logged = data.find(({ id }) => id === shown);
  const columns: Column<Webhook>[] = [
    {
      key: "name",
      header: w.name,
      primary: true,
      wrap: true,
      cell: (webhook) => (
        <>
          <span id={`webhook-${webhook.id}`} className="block scroll-mt-16">
            {webhook.name}
          </span>
          <span className="block text-12 font-normal wrap-anywhere text-muted">{webhook.url}</span>
        </>
      ),
    },
    {
      key: "events",
      header: w.events,
      width: "11rem",
      cell: (webhook) => (
        <span className="flex flex-wrap gap-1">
          {webhook.events.map((event) => (
            <Badge key={event}>{w.eventWords[event]}</Badge>
          ))}
        </span>
      ),
    },
    { key: "about", header: w.key, wrap: true, cell: (webhook) => webhook.key_name ?? w.everyStream },
    { key: "state", header: w.state, wrap: true, cell: (webhook) => <State webhook={webhook} /> },
    {
      key: "success",
      header: w.lastSuccess,
      width: "7rem",
      cell: (webhook) => <RelativeTime at={webhook.last_success_at} fallback={w.never} />,
    },
    {
      key: "act",
      header: words.common.actions,
      hideHeader: true,
      width: "15rem",
      cell: (webhook) => (
        <WebhookActions
          webhook={webhook}
          onSecret={setFresh}
          isLogShown={shown === webhook.id}
          onLog={() => setShown(shown === webhook.id ? undefined : webhook.id)}
        />
      ),
    },
  ];
  return (
    <div className="space-y-6">
      {fresh ? (
        <Panel
          title={w.secretReady(fresh.name)}
          actions={
            <Button variant="primary" icon={<Check aria-hidden />} onClick={() => setFresh(undefined)}>
              {w.secretKept}
            </Button>
          }
          className="border-accent"
        >
          <CopyField label={w.secret} value={fresh.secret} hint={w.secretHint} className="max-w-3xl" />
        </Panel>
      ) : null}
      <Panel
        title={w.title}
        description={w.hint}
        actions={
          <WebhookDialog
            webhook={null}
            keys={keys}
            onAdded={setFresh}
            trigger={
              <Button variant="primary" icon={<Plus aria-hidden />}>
                {w.add}
              </Button>
            }
          />
        }
        flush
      >
        {failure === undefined ? (
          <DataTable
            caption={w.title}
            columns={columns}
            rows={data}
            rowKey={({ id }) => id}
            density="comfortable"
            empty={
              <EmptyState title={w.empty} className="py-8">
                {w.emptyHint}
              </EmptyState>
            }
          />
        ) : (
          <ErrorState title={w.failed} failure={failure} onRetry={() => void reload()} />
        )}
      </Panel>
      {logged ? <DeliveryLog webhook={logged} /> : null}
    </div>
  );
}

function State({ webhook }: { webhook: Webhook }) {
  const { disabled_why: why, failing_since: since, waiting } = webhook;
  if (why === "member") return <Badge>{w.states.member}</Badge>;
  if (why !== null) return <Badge tone="reject">{why === "gone" ? w.states.gone : w.states.stopped}</Badge>;
  if (since === null) return <Badge tone="approve">{w.states.on}</Badge>;
  return (
    <>
      <Badge tone="warn">{w.states.failing}</Badge>
      <span className="mt-0.5 block text-12 text-muted">
        <RelativeTime at={since} /> · {w.waiting(waiting)}
      </span>
    </>
  );
}
