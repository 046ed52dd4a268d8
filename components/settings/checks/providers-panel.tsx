"use client";
import { Badge } from "#components/ui/badge.tsx";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { ExactTime, RelativeTime } from "#components/ui/relative-time.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import { formatCount } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import { useApi } from "#lib/client/use-api.ts";
import type { RemoteProvider, RemoteProviders } from "#lib/checks/remote/schema.ts";

const w = words.remoteChecks;

export function ProvidersPanel({ providers: rendered }: { providers: RemoteProviders }) {
  const {
    data = rendered,
    failure,
    reload,
  } = useApi<RemoteProviders>("/checks/providers", {
    fallback: rendered,
    refreshEvery: 30_000,
  });
  if (failure !== undefined) {
    return (
      <Panel title={w.title}>
        <ErrorState title={w.failed} failure={failure} onRetry={() => void reload()} />
      </Panel>
    );
  }
  if (data.host === null) return <p className="text-13 text-muted">{`${w.title}: ${w.off}`}</p>;
  return (
    <Panel
      title={w.title}
      description={w.sent(data.host)}
      footer={w.waiting(formatCount(data.waiting))}
      flush
    >
      <DataTable
        caption={w.title}
        columns={columnsFor(data.daily_limit)}
        rows={data.providers}
        rowKey={({ name }) => name}
        density="comfortable"
      />
    </Panel>
  );
}

function columnsFor(limit: number): Column<RemoteProvider>[] {
  return [
    {
      key: "provider",
      header: w.provider,
      primary: true,
      wrap: true,
      cell: ({ name, model }) => (
        <>
          <span className="block">{w.names[name] ?? name}</span>
          <span className="block text-12 font-normal wrap-anywhere text-muted">{model}</span>
        </>
      ),
    },
    {
      key: "checks",
      header: w.checks,
      wrap: true,
      cell: ({ checks }) => checks.map((check) => w.checkNames[check]).join(", "),
    },
    {
      key: "calls",
      header: w.calls,
      width: "9rem",
      cell: ({ calls_today }) => (
        <span className="tabular" title={w.callsHint}>
          {w.callsOf(formatCount(calls_today), formatCount(limit))}
        </span>
      ),
    },
    {
      key: "state",
      header: w.state,
      wrap: true,
      cell: (row) => <ProviderState provider={row} limit={limit} />,
    },
    {
      key: "error",
      header: w.lastError,
      wrap: true,
      cell: ({ last_error, failed_at }) =>
        last_error === null ? (
          <span className="text-muted">{w.noError}</span>
        ) : (
          <>
            <span className="block wrap-anywhere">{last_error}</span>
            <span className="block text-12 text-muted">
              <RelativeTime at={failed_at} />
            </span>
          </>
        ),
    },
  ];
}

function ProviderState({ provider, limit }: { provider: RemoteProvider; limit: number }) {
  if (provider.paused_until !== null) {
    return (
      <Badge tone="warn">
        {w.paused} <ExactTime at={provider.paused_until} />
      </Badge>
    );
  }
  if (provider.calls_today >= limit) return <Badge tone="warn">{w.limitReached}</Badge>;
  return <Badge tone="approve">{w.ready}</Badge>;
}
