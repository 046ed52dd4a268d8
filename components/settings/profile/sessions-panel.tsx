"use client";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { AlertDialog } from "#components/ui/dialog.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import type { Session } from "#lib/accounts/member-schema.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useApi } from "#lib/client/use-api.ts";
import { useMutation } from "#lib/client/use-mutation.ts";

const w = words.settings;

/** Clears the session's data from memory. */
const leave = () => window.location.assign("/sign-in");

const columns: Column<Session>[] = [
  {
    key: "browser",
    header: w.browser,
    primary: true,
    cell: (session) => (
      <span className="flex flex-wrap items-center gap-2">
        {session.browser ?? w.unknownBrowser}
        {session.current ? <Badge tone="accent">{w.thisBrowser}</Badge> : null}
      </span>
    ),
  },
  {
    key: "network",
    header: w.network,
    width: "12rem",
    cell: (session) =>
      session.address_prefix === null ? (
        <span className="text-muted">{w.unknownNetwork}</span>
      ) : (
        <span className="wrap-anywhere tabular-nums">{session.address_prefix}</span>
      ),
  },
  {
    key: "used",
    header: w.lastUsed,
    width: "9rem",
    cell: (session) => <RelativeTime at={session.last_used_at} />,
  },
  {
    key: "since",
    header: w.signedInSince,
    width: "9rem",
    cell: (session) => <RelativeTime at={session.created_at} />,
  },
  {
    key: "act",
    header: words.common.actions,
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
    onFailed: (failure) => notifyFailed(w.refused, failure),
  });
  return (
    <Panel
      title={w.sessions}
      description={w.sessionsHint}
      flush
      actions={
        <AlertDialog
          title={w.signOutEverywhereTitle}
          description={w.signOutEverywhereHint}
          confirm={w.signOutEverywhere}
          onConfirm={() => void all.run()}
          pending={all.pending}
          trigger={<Button pending={all.pending}>{w.signOutEverywhere}</Button>}
        />
      }
    >
      {list.failure && !list.data ? (
        <ErrorState
          title={w.sessionsFailed}
          failure={list.failure}
          onRetry={() => void list.reload()}
          retrying={list.refreshing}
        />
      ) : (
        <DataTable
          caption={w.sessions}
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
  const name = session.browser ?? w.unknownBrowser;
  const end = useMutation<void>(() => apiFetch(`/profile/sessions/${session.id}`, { method: "DELETE" }), {
    refresh: ["/profile/sessions"],
    onDone: () => (session.current ? leave() : notifyDone(w.sessionEnded(name))),
    onFailed: (failure) => notifyFailed(w.refused, failure),
  });
  return (
    <Button size="sm" pending={end.pending} aria-label={w.endSessionOf(name)} onClick={() => void end.run()}>
      {w.endSession}
    </Button>
  );
}
