"use client";
import { roles } from "#components/words.ts";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { Expiry } from "#components/ui/relative-time.tsx";
import { EmptyState, ErrorState } from "#components/ui/states.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import type { Link } from "#lib/accounts/member-schema.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import type { ApiState } from "#lib/client/use-api.ts";
import { useMutation } from "#lib/client/use-mutation.ts";

const linkKinds = { invite: "Invitation", reset: "Password reset" } as const;

const columns: Column<Link>[] = [
  {
    key: "for",
    header: "For",
    primary: true,
    cell: (link) => (
      <>
        {link.name === null ? null : (
          <span dir="auto" className="block desk:truncate">
            {link.name}
          </span>
        )}
        <span
          className={
            link.name === null ? "block desk:truncate" : "block text-12 font-normal text-muted desk:truncate"
          }
        >
          {link.email}
        </span>
      </>
    ),
  },
  {
    key: "kind",
    header: "Kind",
    width: "13rem",
    cell: (link) =>
      link.role === null ? linkKinds[link.kind] : `${linkKinds[link.kind]}, ${roles[link.role]}`,
  },
  { key: "by", header: "Created by", width: "10rem", cell: (link) => link.created_by ?? "command line" },
  { key: "until", header: "Expires", width: "9rem", cell: (link) => <Expiry at={link.expires_at} /> },
  {
    key: "act",
    header: "Actions",
    hideHeader: true,
    width: "7rem",
    cell: (link) => (
      <span className="flex desk:justify-end">
        <RevokeButton link={link} />
      </span>
    ),
  },
];

export function LinksPanel({ list }: { list: ApiState<{ items: Link[]; total: number }> }) {
  return (
    <Panel
      title="Open links"
      description="Invitations and password reset links that nobody has used yet. A link stops working when the admin who created it is disabled or is no longer an admin."
      flush
    >
      {list.failure && !list.data ? (
        <ErrorState
          title="The links could not be loaded"
          failure={list.failure}
          onRetry={() => void list.reload()}
          retrying={list.refreshing}
        />
      ) : (
        <DataTable
          caption="Open links"
          columns={columns}
          rows={list.data?.items ?? []}
          rowKey={(link) => link.id}
          density="comfortable"
          empty={<EmptyState title="No open links" className="py-8" />}
        />
      )}
    </Panel>
  );
}

/** Without confirmation: a link is easily made again. */
function RevokeButton({ link }: { link: Link }) {
  const revoke = useMutation<void>(() => apiFetch(`/members/links/${link.id}`, { method: "DELETE" }), {
    refresh: ["/members*"],
    onDone: () => notifyDone(`The link for ${link.email} is revoked`),
    onFailed: (failure) => notifyFailed("The change failed", failure),
  });
  return (
    <Button
      size="sm"
      pending={revoke.pending}
      aria-label={`Revoke the link for ${link.email}`}
      onClick={() => void revoke.run()}
    >
      Revoke
    </Button>
  );
}
