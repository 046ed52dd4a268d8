"use client";
import { useRef, useState } from "react";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { AlertDialog } from "#components/ui/dialog.tsx";
import { EmptyState, ErrorState } from "#components/ui/states.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { useApi } from "#lib/client/use-api.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { ServerList } from "#lib/collect/stream-schema.ts";
import { TokenForm } from "./token-form.tsx";
import { putToken, SERVERS } from "./put-token.ts";

const w = words.servers;
type Server = ServerList["items"][number];

/** @param server for the form, from the address */
export function ServersPanel({ list, server: asked }: { list: ServerList; server: string }) {
  const { data = list, failure, reload } = useApi<ServerList>(SERVERS, { fallback: list });
  const [server, setServer] = useState(asked);
  const token = useRef<HTMLInputElement>(null);
  const columns: Column<Server>[] = [
    {
      key: "server",
      header: w.server,
      primary: true,
      wrap: true,
      cell: ({ host, domain }) => (
        <>
          <span className="block wrap-anywhere">{host}</span>
          {domain === null ? null : (
            <span className="block text-12 font-normal wrap-anywhere text-muted">
              {w.accounts}: @{domain}
            </span>
          )}
        </>
      ),
    },
    { key: "software", header: w.software, width: "9rem", cell: ({ software }) => software ?? "–" },
    { key: "streams", header: w.streams, width: "6rem", numeric: true, cell: ({ streams }) => streams },
    { key: "token", header: w.state, wrap: true, cell: (row) => <TokenState server={row} /> },
    {
      key: "act",
      header: words.common.actions,
      hideHeader: true,
      width: "13rem",
      cell: (row) => (
        <span className="flex flex-wrap gap-2 desk:justify-end">
          <Button
            size="sm"
            aria-label={w.setFor(row.host)}
            onClick={() => {
              setServer(row.host);
              token.current?.focus();
            }}
          >
            {w.set}
          </Button>
          {row.has_token ? <RemoveToken host={row.host} /> : null}
        </span>
      ),
    },
  ];
  return (
    <Panel title={w.title} description={w.hint} flush>
      <TokenForm server={server} onServer={setServer} tokenField={token} />
      {failure === undefined ? (
        <DataTable
          caption={w.title}
          columns={columns}
          rows={data.items}
          rowKey={({ host }) => host}
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
  );
}

function TokenState({ server: { has_token, token_problem } }: { server: Server }) {
  if (token_problem !== null) return <Badge tone="warn">{w.states[token_problem]}</Badge>;
  return has_token ? (
    <Badge tone="approve">{w.states.set}</Badge>
  ) : (
    <span className="text-muted">{w.states.none}</span>
  );
}

function RemoveToken({ host }: { host: string }) {
  const remove = useMutation<void>(() => putToken(host, null), {
    refresh: [SERVERS, "/streams*"],
    onDone: () => notifyDone(w.removed(host)),
    onFailed: (failure) => notifyFailed(w.refused, failure),
  });
  return (
    <AlertDialog
      title={w.removeFor(host)}
      description={w.removeHint}
      confirm={w.remove}
      onConfirm={() => void remove.run()}
      pending={remove.pending}
      trigger={
        <Button size="sm" variant="danger" aria-label={w.removeFor(host)}>
          {w.remove}
        </Button>
      }
    />
  );
}
