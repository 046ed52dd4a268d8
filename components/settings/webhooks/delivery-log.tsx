"use client";
import { Badge, type Tone } from "#components/ui/badge.tsx";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { EmptyState, ErrorState } from "#components/ui/states.tsx";
import { words } from "#components/words/en.ts";
import { useApi } from "#lib/client/use-api.ts";
import { SendAgain } from "./send-again.tsx";
import { webhookEvents, type Webhook, type WebhookDelivery } from "#lib/webhooks/schema.ts";

const w = words.webhooks;

const tones: Record<WebhookDelivery["state"], Tone> = {
  pending: "warn",
  delivered: "approve",
  failed: "reject",
  canceled: "neutral",
};

const columns: Column<WebhookDelivery>[] = [
  { key: "event", header: w.event, primary: true, cell: ({ event }) => eventName(event) },
  { key: "time", header: w.time, width: "8rem", cell: ({ created_at: at }) => <RelativeTime at={at} /> },
  {
    key: "result",
    header: w.result,
    wrap: true,
    cell: (message) => (
      <>
        <Badge tone={tones[message.state]}>{w.results[message.state]}</Badge>
        {message.error === null ? null : (
          <span className="mt-0.5 block text-12 wrap-anywhere text-muted">
            {message.error}
            {message.next_attempt_at === null ? null : (
              <>
                {" "}
                {w.nextTry} <RelativeTime isAhead at={message.next_attempt_at} />
              </>
            )}
          </span>
        )}
      </>
    ),
  },
  { key: "attempts", header: w.attempts, width: "6rem", numeric: true, cell: ({ attempts }) => attempts },
];

export function DeliveryLog({ webhook }: { webhook: Webhook }) {
  const { data, failure, reload } = useApi<WebhookDelivery[]>(`/webhooks/${webhook.id}/deliveries`);
  return (
    <Panel title={w.logOf(webhook.name)} description={w.logHint} flush>
      {failure && !data ? (
        <ErrorState title={w.logFailed} failure={failure} onRetry={() => void reload()} />
      ) : (
        <DataTable
          caption={w.logOf(webhook.name)}
          columns={[
            ...columns,
            {
              key: "again",
              header: w.sendAgain,
              width: "8rem",
              cell: ({ id, event }) => <SendAgain webhookId={webhook.id} id={id} event={eventName(event)} />,
            },
          ]}
          rows={data ?? []}
          rowKey={({ id }) => id}
          empty={<EmptyState title={w.logEmpty} className="py-8" />}
        />
      )}
    </Panel>
  );
}

function eventName(event: string): string {
  const known = [...webhookEvents, "test" as const].find((each) => each === event);
  return known === undefined ? event : w.eventWords[known];
}
