"use client";
import { useRef, useState } from "react";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { AlertDialog } from "#components/ui/dialog.tsx";
import { EmptyState, ErrorState } from "#components/ui/states.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { useApi } from "#lib/client/use-api.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { ServerList } from "#lib/collect/stream-schema.ts";
import { TokenForm } from "./token-form.tsx";
import { putToken, SERVERS } from "./put-token.ts";

const states = {
  none: "None",
  set: "Set",
  needs_token: "Missing",
  token_refused: "Refused by the server",
  unreadable: "Enter again",
} as const;

type Server = ServerList["items"][number];

/** @param server for the form, from the address */
export function ServersPanel({ list, server: asked }: { list: ServerList; server: string }) {
  const { data = list, failure, reload } = useApi<ServerList>(SERVERS, { fallback: list });
  const [server, setServer] = useState(asked);
  const token = useRef<HTMLInputElement>(null);
  const columns: Column<Server>[] = [
    {
      key: "server",
      header: "Server",
      primary: true,
      wrap: true,
      cell: ({ host, domain }) => (
        <>
          <span className="block wrap-anywhere">{host}</span>
          {domain === null ? null : (
            <span className="block text-12 font-normal wrap-anywhere text-muted">Accounts: @{domain}</span>
          )}
        </>
      ),
    },
    { key: "software", header: "Software", width: "9rem", cell: ({ software }) => software ?? "–" },
    { key: "streams", header: "Streams", width: "6rem", numeric: true, cell: ({ streams }) => streams },
    { key: "token", header: "Token", wrap: true, cell: (row) => <TokenState server={row} /> },
    {
      key: "act",
      header: "Actions",
      hideHeader: true,
      width: "13rem",
      cell: (row) => (
        <span className="flex flex-wrap gap-2 desk:justify-end">
          <Button
            size="sm"
            aria-label={`Set token for ${row.host}`}
            onClick={() => {
              setServer(row.host);
              token.current?.focus();
            }}
          >
            Set token
          </Button>
          {row.has_token ? <RemoveToken host={row.host} /> : null}
        </span>
      ),
    },
  ];
  return (
    <Panel
      title="Servers"
      description="Servers that streams are read from. Some show timelines only to their accounts: make an access token there with the scope read:statuses and set it here."
      flush
    >
      <TokenForm server={server} onServer={setServer} tokenField={token} />
      {failure === undefined ? (
        <DataTable
          caption="Servers"
          columns={columns}
          rows={data.items}
          rowKey={({ host }) => host}
          empty={
            <EmptyState title="No servers yet" className="py-8">
              They appear with their first stream.
            </EmptyState>
          }
        />
      ) : (
        <ErrorState title="The servers could not be loaded" failure={failure} onRetry={() => void reload()} />
      )}
    </Panel>
  );
}

function TokenState({ server: { has_token, token_problem } }: { server: Server }) {
  if (token_problem !== null) return <Badge tone="warn">{states[token_problem]}</Badge>;
  return has_token ? <Badge tone="approve">Set</Badge> : <span className="text-muted">None</span>;
}

function RemoveToken({ host }: { host: string }) {
  const remove = useMutation<void>(() => putToken(host, null), {
    refresh: [SERVERS, "/streams*"],
    onDone: () => notifyDone(`Token for ${host} removed`),
    onFailed: (failure) => notifyFailed("The change failed", failure),
  });
  return (
    <AlertDialog
      title={`Remove the token for ${host}`}
      description="Streams of this server may fail until a new token is set."
      confirm="Remove"
      onConfirm={() => void remove.run()}
      pending={remove.pending}
      trigger={
        <Button size="sm" variant="danger" aria-label={`Remove the token for ${host}`}>
          Remove
        </Button>
      }
    />
  );
}
