"use client";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { AlertDialog } from "#components/ui/dialog.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import type { Session } from "#lib/accounts/member-schema.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useApi } from "#lib/client/use-api.ts";
import { useMutation } from "#lib/client/use-mutation.ts";

/** Clears the session's data from memory. */
const leave = () => window.location.assign("/sign-in");

const columns: Column<Session>[] = [
  {
    key: "browser",
    header: "Browser",
    primary: true,
    cell: (session) => (
      <span className="flex flex-wrap items-center gap-2">
        {session.browser ?? "Unknown browser"}
        {session.current ? <Badge tone="accent">this browser</Badge> : null}
      </span>
    ),
  },
  {
    key: "network",
    header: "Network",
    width: "12rem",
    cell: (session) =>
      session.address_prefix === null ? (
        <span className="text-muted">unknown</span>
      ) : (
        <span className="wrap-anywhere tabular-nums">{session.address_prefix}</span>
      ),
  },
  {
    key: "used",
    header: "Last used",
    width: "9rem",
    cell: (session) => <RelativeTime at={session.last_used_at} />,
  },
  {
    key: "since",
    header: "Signed in",
    width: "9rem",
    cell: (session) => <RelativeTime at={session.created_at} />,
  },
  {
    key: "act",
    header: "Actions",
    hideHeader: true,
    width: "6rem",
    cell: (session) => (
      <span className="flex desk:justify-end">
        <EndButton session={session} />
      </span>
    ),
  },
];

export function SessionsPanel({ sessions }: { sessions: { items: Session[]; total: number } }) {
  const list = useApi<typeof sessions>("/profile/sessions", { fallback: sessions });
  const all = useMutation<void>(() => apiFetch("/profile/sign-out", { method: "POST" }), {
    onDone: leave,
    onFailed: (failure) => notifyFailed("The change failed", failure),
  });
  return (
    <Panel
      title="Sessions"
      description="Browsers and scripts that are signed in as you. End those that you do not recognise."
      flush
      actions={
        <AlertDialog
          title="Sign out everywhere"
          description="Ends all sessions on all devices, including this one. API keys keep working."
          confirm="Sign out everywhere"
          onConfirm={() => void all.run()}
          pending={all.pending}
          trigger={<Button pending={all.pending}>Sign out everywhere</Button>}
        />
      }
    >
      {list.failure && !list.data ? (
        <ErrorState
          title="The sessions could not be loaded"
          failure={list.failure}
          onRetry={() => void list.reload()}
          retrying={list.refreshing}
        />
      ) : (
        <DataTable
          caption="Sessions"
          columns={columns}
          rows={list.data?.items ?? []}
          rowKey={(session) => session.id}
          density="comfortable"
        />
      )}
    </Panel>
  );
}

function EndButton({ session }: { session: Session }) {
  const name = session.browser ?? "Unknown browser";
  const end = useMutation<void>(() => apiFetch(`/profile/sessions/${session.id}`, { method: "DELETE" }), {
    refresh: ["/profile/sessions"],
    onDone: () => (session.current ? leave() : notifyDone(`The session of ${name} is ended`)),
    onFailed: (failure) => notifyFailed("The change failed", failure),
  });
  return (
    <Button
      size="sm"
      pending={end.pending}
      aria-label={`End the session of ${name}`}
      onClick={() => void end.run()}
    >
      End
    </Button>
  );
}
