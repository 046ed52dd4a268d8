import { ActionButton } from "#components/ui/action-form.tsx";
import { Expiry } from "#components/ui/relative-time.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { actionsColumn, TablePanel } from "#components/ui/table-panel.tsx";
import { roles } from "#components/words.ts";
import type { Link } from "#lib/accounts/member-schema.ts";
import { revokeLink } from "../actions.ts";

export function LinksPanel({ links }: { links: Link[] }) {
  return (
    <TablePanel
      title="Open links"
      description="Invitations and password reset links that nobody has used yet. A link stops working when the admin who created it is disabled or is no longer an admin."
      columns={[
        {
          key: "for",
          header: "For",
          primary: true,
          cell: ({ name, email }) => (
            <>
              <span dir="auto" className="block desk:truncate">
                {name ?? email}
              </span>
              {name === null ? null : (
                <span className="block text-12 font-normal text-muted desk:truncate">{email}</span>
              )}
            </>
          ),
        },
        {
          key: "kind",
          header: "Kind",
          width: "13rem",
          cell: ({ role }) => (role === null ? "Password reset" : `Invitation, ${roles[role]}`),
        },
        {
          key: "by",
          header: "Created by",
          width: "10rem",
          cell: ({ created_by }) => created_by ?? "command line",
        },
        {
          key: "until",
          header: "Expires",
          width: "9rem",
          cell: ({ expires_at }) => <Expiry at={expires_at} />,
        },
        actionsColumn<Link>("7rem", ({ id, email }) => (
          <ActionButton
            action={revokeLink}
            fields={{ id, email }}
            size="sm"
            aria-label={`Revoke the link for ${email}`}
          >
            Revoke
          </ActionButton>
        )),
      ]}
      rows={links}
      rowKey={({ id }) => id}
      empty={<EmptyState title="No open links" className="py-8" />}
    />
  );
}
