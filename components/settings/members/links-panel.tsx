"use client";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { Expiry } from "#components/ui/relative-time.tsx";
import { EmptyState, ErrorState } from "#components/ui/states.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import type { Link } from "#lib/accounts/member-schema.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import type { ApiState } from "#lib/client/use-api.ts";
import { useMutation } from "#lib/client/use-mutation.ts";

const w = words.settings;

const columns: Column<Link>[] = [
  {
    key: "for",
    header: w.linkFor,
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
    header: w.linkKind,
    width: "13rem",
    cell: (link) =>
      link.role === null
        ? w.linkKinds[link.kind]
        : `${w.linkKinds[link.kind]}, ${words.shell.roles[link.role]}`,
  },
  { key: "by", header: w.madeBy, width: "10rem", cell: (link) => link.created_by ?? w.commandLine },
  { key: "until", header: w.endsIn, width: "9rem", cell: (link) => <Expiry at={link.expires_at} /> },
  {
    key: "act",
    header: words.common.actions,
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
    <Panel title={w.links} description={w.linksHint} flush>
      {list.failure && !list.data ? (
        <ErrorState
          title={w.linksFailed}
          failure={list.failure}
          onRetry={() => void list.reload()}
          retrying={list.refreshing}
        />
      ) : (
        <DataTable
          caption={w.links}
          columns={columns}
          rows={list.data?.items ?? []}
          rowKey={(link) => link.id}
          density="comfortable"
          empty={<EmptyState title={w.linksEmpty} className="py-8" />}
        />
      )}
    </Panel>
  );
}

/** Without confirmation: a link is easily made again. */
function RevokeButton({ link }: { link: Link }) {
  const revoke = useMutation<void>(() => apiFetch(`/members/links/${link.id}`, { method: "DELETE" }), {
    refresh: ["/members*"],
    onDone: () => notifyDone(w.linkRevoked(link.email)),
    onFailed: (failure) => notifyFailed(w.refused, failure),
  });
  return (
    <Button
      size="sm"
      pending={revoke.pending}
      aria-label={w.revokeLinkFor(link.email)}
      onClick={() => void revoke.run()}
    >
      {w.revokeLink}
    </Button>
  );
}
