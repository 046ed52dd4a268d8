import { ActionButton } from "#components/ui/action-form.tsx";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { Expiry } from "#components/ui/relative-time.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { roles } from "#components/words.ts";
import type { Link } from "#lib/accounts/member-schema.ts";
import { revokeLink } from "../actions.ts";

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
        <ActionButton
          action={revokeLink}
          fields={{ id: link.id, email: link.email }}
          size="sm"
          aria-label={`Revoke the link for ${link.email}`}
        >
          Revoke
        </ActionButton>
      </span>
    ),
  },
];

export function LinksPanel({ links }: { links: Link[] }) {
  return (
    <Panel
      title="Open links"
      description="Invitations and password reset links that nobody has used yet. A link stops working when the admin who created it is disabled or is no longer an admin."
      flush
    >
      <DataTable
        caption="Open links"
        columns={columns}
        rows={links}
        rowKey={(link) => link.id}
        density="comfortable"
        empty={<EmptyState title="No open links" className="py-8" />}
      />
    </Panel>
  );
}
