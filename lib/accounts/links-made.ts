import { toIso } from "#lib/base/clock.ts";
import { db, type Tx } from "#lib/base/db.ts";
import { ApiError } from "#lib/base/errors.ts";
import type { Actor } from "#lib/base/http/principal.ts";
import { recordAudit } from "./record-audit.ts";
import type { Link } from "./member-schema.ts";
import { memberLabel } from "./serialize-member.ts";
import { deleteLink, deleteLinksMadeBy, openLinks, type OpenLinkRow } from "./member-sql.ts";

/** Invitations and reset links that can be used now, oldest first. */
export async function listLinks(): Promise<{ items: Link[]; total: number }> {
  const items = (await openLinks(db)).map((row) => ({
    id: row.id,
    kind: row.kind,
    email: row.email,
    name: row.name,
    role: row.role,
    created_by: row.created_by,
    created_at: toIso(row.created_at),
    expires_at: toIso(row.expires_at),
  }));
  return { items, total: items.length };
}

/**
 * @throws ApiError `link_not_found`, also for a used one
 */
export async function revokeLink(actor: Actor, id: number): Promise<void> {
  await db.$transaction(async (tx) => {
    const row = await deleteLink(tx, id);
    if (row === null) throw new ApiError("link_not_found");
    await recordRevoked(tx, actor, row);
  });
}

/** When a member loses the right to make links, or an account may have been used by another person. */
export async function dropLinksMadeBy(tx: Tx, actor: Actor, memberId: number): Promise<void> {
  for (const row of await deleteLinksMadeBy(tx, memberId)) await recordRevoked(tx, actor, row);
}

async function recordRevoked(
  tx: Tx,
  actor: Actor,
  row: Pick<OpenLinkRow, "kind" | "email" | "name">,
): Promise<void> {
  const { kind, email, name } = row;
  await recordAudit(
    tx,
    actor,
    kind === "invite"
      ? { action: "member.uninvite", subject: email }
      : { action: "member.reset_link_revoke", subject: memberLabel({ name: name ?? "", email }) },
  );
}
