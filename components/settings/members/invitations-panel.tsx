"use client";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { EmptyState, ErrorState } from "#components/ui/states.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import type { ApiState } from "#lib/client/use-api.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { Invitation } from "#lib/members/schema.ts";

const w = words.settings;

const columns: Column<Invitation>[] = [
  { key: "email", header: w.email, primary: true, cell: (invitation) => invitation.email },
  {
    key: "role",
    header: w.role,
    width: "10rem",
    cell: (invitation) => words.shell.roles[invitation.role],
  },
  { key: "by", header: w.invitedBy, cell: (invitation) => invitation.created_by ?? "–" },
  {
    key: "until",
    header: w.endsIn,
    width: "8rem",
    cell: (invitation) => <RelativeTime at={invitation.expires_at} />,
  },
  {
    key: "act",
    header: words.common.actions,
    hideHeader: true,
    width: "7rem",
    cell: (invitation) => (
      <span className="flex desk:justify-end">
        <WithdrawButton invitation={invitation} />
      </span>
    ),
  },
];

export function InvitationsPanel({ list }: { list: ApiState<{ items: Invitation[]; total: number }> }) {
  return (
    <Panel title={w.invitations} description={w.invitationsHint} flush>
      {list.failure && !list.data ? (
        <ErrorState
          title={w.invitationsFailed}
          failure={list.failure}
          onRetry={() => void list.reload()}
          retrying={list.refreshing}
        />
      ) : (
        <DataTable
          caption={w.invitations}
          columns={columns}
          rows={list.data?.items ?? []}
          rowKey={(invitation) => invitation.id}
          density="comfortable"
          empty={<EmptyState title={w.invitationsEmpty} className="py-8" />}
        />
      )}
    </Panel>
  );
}

/** Without confirmation: an invitation is easily created again. */
function WithdrawButton({ invitation }: { invitation: Invitation }) {
  const withdraw = useMutation<void>(
    () => apiFetch(`/members/invitations/${invitation.id}`, { method: "DELETE" }),
    {
      refresh: ["/members*"],
      onDone: () => notifyDone(w.withdrawn(invitation.email)),
      onFailed: (failure) => notifyFailed(w.refused, failure),
    },
  );
  return (
    <Button
      size="sm"
      pending={withdraw.pending}
      aria-label={`${w.withdraw} ${invitation.email}`}
      onClick={() => void withdraw.run()}
    >
      {w.withdraw}
    </Button>
  );
}
