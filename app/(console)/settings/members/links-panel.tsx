import { ActionButton } from "#components/ui/action-form.tsx";
import { ListPanel } from "#components/ui/list-panel.tsx";
import { Expiry } from "#components/ui/relative-time.tsx";
import { roles } from "#components/words.ts";
import type { Link } from "#lib/accounts/member-schema.ts";
import { revokeLink } from "../actions.ts";

export function LinksPanel({ links }: { links: Link[] }) {
  return (
    <ListPanel
      title="Open links"
      description="Invitations and password reset links that nobody has used yet. A link stops working when the admin who created it is disabled or is no longer an admin."
      rows={links.map(({ id, name, email, role, created_by, expires_at }) => ({
        key: id,
        title: name ?? email,
        facts: [
          name !== null && email,
          role === null ? "Password reset" : `Invitation, ${roles[role]}`,
          `by ${created_by ?? "the command line"}`,
          ["expires ", <Expiry key="until" at={expires_at} />],
        ],
        actions: (
          <ActionButton
            action={revokeLink}
            fields={{ id, email }}
            size="sm"
            aria-label={`Revoke the link for ${email}`}
          >
            Revoke
          </ActionButton>
        ),
      }))}
      empty="No open links"
    />
  );
}
